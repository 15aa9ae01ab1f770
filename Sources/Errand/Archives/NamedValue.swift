/// Finds the hidden values of JSON objects that have the name and the value in two members, such as
/// `{"name": "DB_PASSWORD", "value": "…"}`.
struct NamedValue {
    /// The members with names as their values.
    static let names: Set<String> = ["name", "key"]
    static let values: Set<String> = ["value", "values"]

    /// The last name of a member, or `nil` if its value has been read.
    var name: String?
    /// Whether the member `value` is hidden, for each open object or array.
    private var levels = [false]
    /// Whether the member `value` of this object is hidden.
    var hidesValue: Bool {
        get { levels.last ?? false }
        set { levels[levels.count - 1] = newValue }
    }

    /// Notes the text between two strings.
    mutating func pass(_ gap: ArraySlice<UInt8>) {
        for byte in gap {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): levels.append(false)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if levels.count > 1 { levels.removeLast() }
            default: break
            }
        }
        if !gap.isEmpty { name = nil }
    }

    /// Whether this is the name of the member with the hidden value.
    func isHiddenValue(_ member: String) -> Bool { hidesValue && Self.values.contains(member.lowercased()) }

    /// Whether the string after the last name is the name of a value.
    mutating func takesName() -> Bool {
        defer { name = nil }
        return name.map { Self.names.contains($0.lowercased()) } ?? false
    }
}
