/// A dictionary in the order of last use (LRU). All operations take constant time.
struct RecencyList<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        let key: Key
        var value: Value
        var previous: Int
        var next: Int
    }

    /// The index of no node.
    private static var none: Int { -1 }

    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var indices: [Key: Int] = [:]
    /// The most and the least recently used nodes.
    private var newest = -1
    private var oldest = -1

    var keys: [Key] { Array(indices.keys) }
    var count: Int { indices.count }

    /// Returns the value of a key, and notes that it was used.
    mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key], let node = nodes[index] else { return nil }
        moveToFront(index, node)
        return node.value
    }

    /// Sets the value of a key, and notes that it was used.
    mutating func set(_ key: Key, _ value: Value) {
        if let index = indices[key], let node = nodes[index] {
            moveToFront(index, node)
            nodes[index]?.value = value
            return
        }
        let node = Node(key: key, value: value, previous: Self.none, next: newest)
        let index: Int
        if let reused = free.popLast() {
            index = reused
            nodes[index] = node
        } else {
            index = nodes.count
            nodes.append(node)
        }
        indices[key] = index
        if newest != Self.none { nodes[newest]?.previous = index }
        newest = index
        if oldest == Self.none { oldest = index }
    }

    /// Removes a key, and returns its value.
    mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key), let node = nodes[index] else { return nil }
        detach(index, node)
        nodes[index] = nil
        free.append(index)
        return node.value
    }

    /// Removes the least recently used key, and returns its value.
    mutating func removeOldest() -> Value? {
        guard oldest != Self.none, let key = nodes[oldest]?.key else { return nil }
        return remove(key)
    }

    private mutating func moveToFront(_ index: Int, _ node: Node) {
        guard index != newest else { return }
        detach(index, node)
        nodes[index]?.previous = Self.none
        nodes[index]?.next = newest
        if newest != Self.none { nodes[newest]?.previous = index }
        newest = index
        if oldest == Self.none { oldest = index }
    }

    private mutating func detach(_ index: Int, _ node: Node) {
        if node.previous == Self.none { newest = node.next } else { nodes[node.previous]?.next = node.next }
        if node.next == Self.none { oldest = node.previous } else { nodes[node.next]?.previous = node.previous }
    }
}
