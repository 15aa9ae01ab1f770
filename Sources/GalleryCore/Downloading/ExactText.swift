/// A text that is compared byte for byte. "é" as one scalar and as two are equal as `String`, but are two identifiers.
package struct ExactText: Sendable, Hashable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // A separator: 0xFF does not occur in UTF-8.
        hasher.combine(0xFF as UInt8)
    }
}
