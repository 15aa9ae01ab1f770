import ErrandSupport

/// Decodes the elements of an array of a ``JSONTape`` in order.
struct JSONTapeArray: UnkeyedDecodingContainer {
    private let decoder: JSONTapeDecoder
    /// The decoder of the last element. It is reused for the next element unless another reference to it exists.
    private var elementDecoder: JSONTapeDecoder?
    // The indices have 32 bits so that this struct is stored inline in an `any UnkeyedDecodingContainer`, without an allocation.
    private var nodeIndex: UInt32
    private var elementIndex: UInt32 = 0

    init(_ decoder: JSONTapeDecoder) throws {
        guard decoder.kind == .array else { throw decoder.failure([Any].self) }
        self.decoder = decoder
        nodeIndex = UInt32(truncatingIfNeeded: decoder.index + 1)
    }

    private var index: Int { Int(nodeIndex) }
    var currentIndex: Int { Int(elementIndex) }
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { Int(decoder.tape.nodes[decoder.index].end) }
    /// Also `true` after decoding was stopped. Otherwise, a loop that skips elements that it cannot decode would not
    /// end.
    var isAtEnd: Bool { index >= Int(decoder.tape.nodes[decoder.index].next) || decoder.tape.isRefused }

    mutating func decodeNil() throws -> Bool {
        try checkNotAtEnd(Any?.self)
        guard decoder.tape.nodes[index].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar { try scalar() }

    // The protocol has default implementations for these two types, which would be used instead and which fail.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try element(type).value(type)
        advance()
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try element(KeyedDecodingContainer<Key>.self).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try element((any UnkeyedDecodingContainer).self).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try element((any Decoder).self)
        advance()
        return decoder
    }

    private mutating func scalar<Scalar: JSONScalar>() throws -> Scalar {
        try checkNotAtEnd(Scalar.self)
        try decoder.tape.checkLimit()
        let scalar = try Scalar.read(index, of: decoder.tape) { try element(Scalar.self).failure(Scalar.self) }
        advance()
        return scalar
    }

    private mutating func element(_ type: Any.Type) throws -> JSONTapeDecoder {
        try checkNotAtEnd(type)
        if isKnownUniquelyReferenced(&elementDecoder), let elementDecoder {
            elementDecoder.move(to: index, elementIndex: currentIndex)
            return elementDecoder
        }
        let new = decoder.element(index, elementIndex: currentIndex)
        elementDecoder = new
        return new
    }

    private func checkNotAtEnd(_ type: Any.Type) throws {
        guard isAtEnd else { return }
        let path = codingPath + [PathKey(decoding: currentIndex)]
        throw decoder.tape.failed(.valueNotFound(type, .init(codingPath: path, debugDescription: "no more elements")))
    }

    /// Moves to the next element. After a failure, the current element stays the next one, as in Foundation's decoder.
    private mutating func advance() {
        nodeIndex = decoder.tape.nodes[index].next
        elementIndex += 1
    }
}
