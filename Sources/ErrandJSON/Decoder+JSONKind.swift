/// The kinds of values in JSON.
public enum JSONKind: Sendable { case null, boolean, number, string, array, object }

extension Decoder {
    /// Whether the value can have the given kind. Returns `false` only if the decoder knows that it has another kind.
    ///
    /// Call this method in a type that accepts several kinds, before you decode one of them. If the type catches a
    /// decoding error instead, ``FastJSONDecoder`` decodes the complete text with Foundation's decoder. Decoders other
    /// than ``FastJSONDecoder`` always return `true`.
    public func mayHold(_ kind: JSONKind) -> Bool {
        guard let tape = self as? JSONTapeDecoder else { return true }
        return tape.kind == kind
    }

    /// Whether the decoder accepts at most 128 levels of nesting. If `true`, a recursive model does not have to limit
    /// its depth.
    public var limitsNesting: Bool { self is JSONTapeDecoder }
}
