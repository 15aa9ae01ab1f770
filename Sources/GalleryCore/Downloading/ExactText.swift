/// A text that is equal only byte for byte: é in one scalar and in two are one `String`, but two identifiers.
package struct ExactText: Sendable, Hashable {
    private let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }
}
