/// The kinds of values in JSON.
public enum JSONKind: Sendable { case null, truth, number, text, array, object }

extension Decoder {
    /// Whether the value may be of the given kind. `false` only if the decoder knows another kind.
    ///
    /// A type that accepts several kinds asks this before it tries one: each error that it catches makes ``FastJSONDecoder``
    /// pass the whole text to Foundation's decoder. Other decoders return `true`.
    public func mayHold(_ kind: JSONKind) -> Bool {
        guard let tape = self as? JSONTapeDecoder else { return true }
        return tape.kind == kind
    }

    /// Whether the decoder knows that its text has at most 128 levels of nesting, so that a recursive model need not count them.
    public var isShallow: Bool { self is JSONTapeDecoder }
}
