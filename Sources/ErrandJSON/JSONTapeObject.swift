import ErrandSupport

/// Decodes the members of an object of a ``JSONTape``.
struct JSONTapeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: JSONTapeDecoder

    init(_ decoder: JSONTapeDecoder) throws {
        guard decoder.kind == .object else { throw decoder.failure([String: Any].self) }
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        let indices = decoder.keyIndex?.indices ?? decoder.tape.keys(of: decoder.index)
        return indices.compactMap { index in
            // Most callers hash the keys, which would take quadratic time.
            if decoder.tape.hasTooManyMarks(index) {
                _ = decoder.tape.refuse(DecodingError.tooManyMarks(at: codingPath))
                return nil
            }
            return Key(stringValue: decoder.tape.text(index))
        }
    }

    func contains(_ key: Key) -> Bool { decoder.index(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.tape.nodes[try index(of: key)].kind == .null }

    // Overloads for the most common scalars, because the generic method is slower.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(index(of: key), key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(index(of: key), key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(index(of: key), key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(index(of: key), key) }

    func decode<Scalar: JSONScalar>(_ type: Scalar.Type, forKey key: Key) throws -> Scalar {
        try scalar(index(of: key), key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(key).value(type)
    }

    // The protocol has default implementations for these two types, which would be used instead and which fail.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(index(of: key), key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(index(of: key), key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalar(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try scalar(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try scalar(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalar(key) }
    // Other scalars use the default implementation of the protocol, which searches for the key three times.

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let index = decoder.index(of: key), decoder.tape.nodes[index].kind != .null else { return nil }
        return try decoder.member(index, key).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { parent(PathKey.superKey) }

    func superDecoder(forKey key: Key) -> any Decoder { parent(key) }

    /// Returns a decoder for a member. A missing member is null, as in Foundation's decoder.
    private func parent(_ key: some CodingKey) -> JSONTapeDecoder {
        decoder.member(decoder.index(of: key) ?? decoder.tape.nothing, key)
    }

    private func value(_ key: Key) throws -> JSONTapeDecoder { decoder.member(try index(of: key), key) }

    private func scalar<Scalar: JSONScalar>(_ key: Key) throws -> Scalar? {
        guard let index = decoder.index(of: key), decoder.tape.nodes[index].kind != .null else { return nil }
        return try scalar(index, key)
    }

    @inline(__always)
    private func scalar<Scalar: JSONScalar>(_ index: Int, _ key: Key) throws -> Scalar {
        try Scalar.read(index, of: decoder.tape) { decoder.member(index, key).failure(Scalar.self) }
    }

    /// Returns the index of the value of a member.
    @inline(__always)
    private func index(of key: Key) throws -> Int {
        if let index = decoder.index(of: key) { return index }
        throw missing(key)
    }

    private func missing(_ key: Key) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "no \(key.stringValue)")
        return decoder.tape.failed(.keyNotFound(key, context))
    }
}
