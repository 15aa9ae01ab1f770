import ErrandSupport

/// The container for the elements of a list. `nil` elements are counted until the list is resolved.
struct QueryUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: QueryEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.children.count }
    private var key: PathKey { PathKey(index: count) }

    func encodeNil() {
        encoder.node.append(QueryNode())
    }

    func encode(_ value: some Encodable) throws {
        encoder.node.append(try encoder.written(value, at: key))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws {
        encoder.node.append(try encoder.written(value, at: key))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws {
        encoder.node.append(try encoder.written(value, at: key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nestedEncoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nestedEncoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        nestedEncoder()
    }

    private func nestedEncoder() -> QueryEncoder {
        let key = key
        let child = QueryNode()
        encoder.node.append(child)
        return encoder.nested(child, at: key)
    }
}
