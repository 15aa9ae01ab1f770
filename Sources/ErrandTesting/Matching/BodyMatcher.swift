public import Errand

/// The condition for a request's body.
public enum BodyMatcher: Sendable, Hashable {
    /// No body.
    case none
    /// The same JSON value, regardless of key order and white space.
    case json(String)
    /// The same text, in UTF-8.
    case text(String)
    /// The same bytes.
    case data(Data)
    /// A text that occurs anywhere in the body.
    case containing(String)
}

extension BodyMatcher {
    /// The difference from a request's body on one line, or `nil` if it matches.
    func mismatch(_ request: APIRequest) -> String? {
        let body = request.body.data
        let isSame =
            switch self {
            case .none: request.body == .none
            case .json(let text): Self.isSameJSON(Data(text.utf8), body ?? Data())
            case .text(let text): body == Data(text.utf8)
            case .data(let data): body == data
            case .containing(let text): body?.range(of: Data(text.utf8)) != nil
            }
        if isSame { return nil }
        let got =
            body.map { request.options.redaction.body($0) } ?? (request.body == .none ? "none" : "\(request.body)")
        return "body: expected \(self), got \(got)"
    }

    /// Compares two JSON values. Invalid JSON is equal to nothing.
    private static func isSameJSON(_ one: Data, _ other: Data) -> Bool {
        guard let one = canonical(one), let other = canonical(other) else { return false }
        return one == other
    }

    /// JSON in a canonical form, or `nil` if it is invalid.
    private static func canonical(_ data: Data) -> Data? {
        guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else { return nil }
        return try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    }
}

extension BodyMatcher: CustomStringConvertible {
    /// A text that is safe to print. Secret members are masked, and bytes are shown only by their size.
    public var description: String {
        switch self {
        case .none: "none"
        case .json(let text): Redaction.standard.body(Data(text.utf8))
        case .text(let text): Redaction.standard.text(text)
        case .data(let data): "‹\(data.count) bytes›"
        case .containing(let text): "with \(Redaction.standard.text(text))"
        }
    }
}
