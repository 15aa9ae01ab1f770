import ErrandSupport

/// The container for the members of a keyed value. A key that is encoded again replaces its value.
struct QueryKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: QueryEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.node.set(QueryNode(), named: key.stringValue)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.node.set(try encoder.written(value, at: key), named: key.stringValue)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws {
        encoder.node.set(try encoder.written(value, at: key), named: key.stringValue)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws {
        encoder.node.set(try encoder.written(value, at: key), named: key.stringValue)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nestedEncoder(at: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nestedEncoder(at: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        nestedEncoder(at: PathKey.superKey)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        nestedEncoder(at: key)
    }

    /// Two requests for the same container return one container, as in Foundation's encoders.
    private func nestedEncoder(at key: any CodingKey) -> QueryEncoder {
        let child = encoder.node.child(named: key.stringValue) ?? QueryNode()
        encoder.node.set(child, named: key.stringValue)
        return encoder.nested(child, at: key)
    }
}
