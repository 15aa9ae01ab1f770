import Errand

/// A JSON value. Its objects keep the order of their members, which the protocol requires and Foundation's parsers
/// lose.
indirect enum OrderedJSON: Sendable {
    case null
    case bool(Bool)
    /// A number, as written in the text.
    case number(String)
    case string(String)
    case array([OrderedJSON])
    case object([(key: String, value: OrderedJSON)])

    struct SyntaxError: Error, CustomStringConvertible {
        let offset: Int
        var description: String { "not JSON at byte \(offset)" }
    }

    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var elements: [OrderedJSON]? { if case .array(let elements) = self { elements } else { nil } }
    var members: [(key: String, value: OrderedJSON)]? { if case .object(let members) = self { members } else { nil } }

    subscript(key: String) -> OrderedJSON? { members?.last { $0.key == key }?.value }

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
