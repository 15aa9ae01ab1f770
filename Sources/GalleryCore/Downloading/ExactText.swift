/// A text that is equal only byte for byte: é in one scalar and in two are one `String`, but two identifiers.
package struct ExactText: Sendable, Hashable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Where one text ends and the next one begins.
        hasher.combine(0xFF as UInt8)
    }
}
