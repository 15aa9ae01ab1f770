/// Finds values in the text that was decoded, for error messages.
package protocol ValueLocator {
    /// The kind of the value at a coding path, such as `a number`, and the offset of its first byte. `nil` if the text
    /// has no such value, for example because a key strategy renamed a key.
    func value(at path: [any CodingKey]) -> (kind: String, offset: Int)?

    /// A position in words: `byte 57`, or `line 4, column 20`.
    func words(for offset: Int) -> String

    /// The offset at which the text stops being JSON. `nil` for a text that is valid JSON.
    var fault: Int? { get }
}

extension ValueLocator {
    /// The position of the value at a coding path, in brackets after a space. Empty if the text has no such value.
    func position(of path: [any CodingKey], _ prefix: String = "") -> String {
        value(at: path).map { " (\(prefix)\(words(for: $0.offset)))" } ?? ""
    }
}
