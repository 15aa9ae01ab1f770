/// Finds the hidden values of JSON objects that have the name and the value in two members, in any order, such as
/// `{"name": "DB_PASSWORD", "value": "…"}`.
struct NamedValue {
    /// The members with names as their values.
    private static let names: Set<String> = ["name", "key"]
    private static let values: Set<String> = ["value", "values"]

    private let bytes: [UInt8]
    private let isHidden: (String) -> Bool
    /// The offsets of the objects with a hidden name. `nil` until a member `value` was found, because most texts have
    /// none.
    private var hiding: Set<Int>?
    /// The offset of each open object or array, after -1 for the complete text.
    private var levels = [-1]
    /// The last name of a member, or `nil` if its value has been read.
    private var name: String?

    /// - Parameters:
    ///   - bytes: The text.
    ///   - isHidden: Whether a name is hidden.
    init(_ bytes: [UInt8], isHidden: @escaping (String) -> Bool) {
        (self.bytes, self.isHidden) = (bytes, isHidden)
    }

    /// Notes the text between two strings.
    mutating func pass(_ gap: ArraySlice<UInt8>) {
        for (offset, byte) in zip(gap.indices, gap) {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): levels.append(offset)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if levels.count > 1 { levels.removeLast() }
            default: break
            }
        }
        if !gap.isEmpty { name = nil }
    }

    /// Notes the name of a member. Returns whether its value is hidden by a name in the same object.
    mutating func hidesValue(of member: String) -> Bool {
        name = member
        guard Self.values.contains(member.lowercased()) else { return false }
        let hiding = hiding ?? objectsWithHiddenName()
        self.hiding = hiding
        return levels.last.map(hiding.contains) ?? false
    }

    /// Whether the string after the last name is the name of a value.
    mutating func takesName() -> Bool {
        defer { name = nil }
        return name.map { Self.names.contains($0.lowercased()) } ?? false
    }

    /// Returns the offsets of the objects that have a member with a hidden name as its value.
    private func objectsWithHiddenName() -> Set<Int> {
        var tokens = JSONTokens(bytes)
        var copy = NamedValue([]) { _ in false }
        var found: Set<Int> = []
        while let token = tokens.next() {
            copy.pass(bytes[token.gap])
            guard let string = token.string, let level = copy.levels.last else { break }
            let text = tokens.text(of: string)
            if token.isName {
                copy.name = text
                // Masking consumes the value of a hidden member at once, so its levels do not count here either.
                if isHidden(text), !Self.names.contains(text.lowercased()) { _ = tokens.takeValue() }
            } else if copy.takesName(), isHidden(text) {
                found.insert(level)
            }
        }
        return found
    }
}
