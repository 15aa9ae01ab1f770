/// Encodes `Encodable` values into a tree of ``QueryNode``. It never traps.
struct QueryEncoder: Encoder {
    /// The maximum nesting depth of values and containers.
    static let depthLimit = 64

    let encoding: QueryEncoding
    let journal: QueryJournal
    let node: QueryNode
    let codingPath: [any CodingKey]
    let depth: Int

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        claim(.members)
        return KeyedEncodingContainer(QueryKeyedContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        claim(.elements)
        return QueryUnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        QuerySingleValueContainer(encoder: self)
    }

    private func claim(_ kind: QueryNode.Kind) {
        guard !node.become(kind) else { return }
        node.refuse(QueryProblem.mixedContainers.error(at: codingPath))
    }
}

extension QueryEncoder {
    /// Encodes a value into a new node.
    func written(_ value: some Encodable, at key: (any CodingKey)? = nil) throws -> QueryNode {
        let path = codingPath + (key.map { [$0] } ?? [])
        let result = QueryNode()
        if let text = try encoding.text(of: value, at: path) {
            result.set(text)
            return result
        }
        guard depth < Self.depthLimit else { throw QueryProblem.tooDeep.error(at: path) }
        let inner = QueryEncoder(
            encoding: encoding, journal: journal, node: result, codingPath: path, depth: depth + 1)
        try journal.recording(path) { try value.encode(to: inner) }
        (value as? any UnorderedValue)?.order(result)
        return result
    }

    /// Returns an encoder for a child node. Beyond the depth limit, the child stores an error.
    func nested(_ child: QueryNode, at key: any CodingKey) -> QueryEncoder {
        guard depth < Self.depthLimit else {
            child.refuse(QueryProblem.tooDeep.error(at: codingPath))
            return QueryEncoder(
                encoding: encoding, journal: journal, node: child, codingPath: codingPath, depth: depth)
        }
        return QueryEncoder(
            encoding: encoding, journal: journal, node: child, codingPath: codingPath + [key], depth: depth + 1)
    }
}

/// A collection that has another order in each run.
private protocol UnorderedValue {
    func order(_ node: QueryNode)
}

extension Dictionary: UnorderedValue {
    fileprivate func order(_ node: QueryNode) { node.sortMembers() }
}

extension Set: UnorderedValue {
    fileprivate func order(_ node: QueryNode) { node.sortElements() }
}
