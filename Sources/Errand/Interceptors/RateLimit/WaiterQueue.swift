/// A priority queue of waiting requests. Waiters with equal priority are in order of arrival.
package struct WaiterQueue: Sendable {
    /// A waiting request and its deadline.
    package struct Waiter: Sendable, Hashable {
        package let id: Int
        /// A waiter with a higher value is admitted earlier.
        package fileprivate(set) var priority: Double
        /// The deadline of the request, or `nil` without a deadline.
        package fileprivate(set) var latest: Duration?
        fileprivate let order: Int

        fileprivate func isBefore(_ other: Waiter) -> Bool {
            priority == other.priority ? order < other.order : priority > other.priority
        }
    }

    private var waiters: [Int: Waiter] = [:]
    /// A binary heap. It can contain obsolete entries of removed or changed waiters, which are ignored. The heap is
    /// rebuilt when most of its entries are obsolete.
    private var heap: [Waiter] = []
    /// The number of waiters by priority.
    private var counts: [Double: Int] = [:]
    private var lastOrder = 0

    package init() {}

    package var isEmpty: Bool { waiters.isEmpty }
    package var count: Int { waiters.count }
    package var all: some Collection<Waiter> { waiters.values }

    package func contains(_ id: Int) -> Bool { waiters[id] != nil }

    /// The number of waiters ahead of a new one with this priority.
    package func count(before priority: Double) -> Int {
        counts.reduce(0) { $0 + ($1.key >= priority ? $1.value : 0) }
    }

    package mutating func add(_ id: Int, priority: Double, latest: Duration?) {
        guard waiters[id] == nil else { return }
        let priority = priority.isNaN ? 0 : priority
        lastOrder &+= 1
        insert(Waiter(id: id, priority: priority, latest: latest, order: lastOrder))
    }

    /// Removes a waiter. Returns `false` if it does not exist.
    @discardableResult package mutating func remove(_ id: Int) -> Bool {
        guard let waiter = waiters.removeValue(forKey: id) else { return false }
        let left = counts[waiter.priority, default: 1] - 1
        counts[waiter.priority] = left > 0 ? left : nil
        return true
    }

    /// Raises the priority and the deadline of a waiter, if the new values are higher. Among waiters of the new
    /// priority, its position is that of its arrival.
    package mutating func raise(_ id: Int, to priority: Double, latest: Duration?) {
        guard var waiter = waiters[id] else { return }
        let before = waiter
        waiter.priority = priority > waiter.priority ? priority : waiter.priority
        waiter.latest = waiter.latest.flatMap { own in latest.map { max(own, $0) } }
        guard waiter != before else { return }
        remove(id)
        insert(waiter)
    }

    /// Removes and returns the first waiter.
    package mutating func popFirst() -> Waiter? {
        while let first = heap.first {
            removeTop()
            guard waiters[first.id] == first else { continue }
            remove(first.id)
            return first
        }
        return nil
    }
}

extension WaiterQueue {
    private mutating func insert(_ waiter: Waiter) {
        if heap.count > waiters.count * 2 + 16 {
            // A sorted array is a heap.
            heap = waiters.values.sorted { $0.isBefore($1) }
        }
        waiters[waiter.id] = waiter
        counts[waiter.priority, default: 0] += 1
        heap.append(waiter)
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeTop() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var index = 0
        while true {
            let children = heap.indices.dropFirst(2 * index + 1).prefix(2)
            guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }), heap[least].isBefore(heap[index])
            else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
