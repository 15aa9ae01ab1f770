/// What a JSON value is.
package enum JSONKind: Sendable { case null, truth, number, text, array, object }

extension Decoder {
    /// Whether it is worth trying to decode a kind of value: false where it is known that there is another.
    ///
    /// A type that takes several kinds would else learn by an error which one it has, and an error sends the whole text to the
    /// platform's decoder.
    package func mayHold(_ kind: JSONKind) -> Bool {
        guard let tape = self as? JSONTapeDecoder else { return true }
        return tape.kind == kind
    }

    /// Whether it is known that values are not nested deeper than 128 levels here.
    package var isShallow: Bool { self is JSONTapeDecoder }
}
