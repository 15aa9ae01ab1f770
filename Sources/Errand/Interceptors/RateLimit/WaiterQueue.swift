/// Who waits for a host: the highest priority first, among equals who came first.
package struct WaiterQueue: Sendable {
    /// Who waits, and until when that makes sense.
    package struct Waiter: Sendable, Hashable {
        package let id: Int
        /// The higher the sooner.
        package fileprivate(set) var priority: Double
        /// The moment at which the call must have ended; nil where it has no deadline.
        package fileprivate(set) var latest: Duration?
        fileprivate let order: Int

        fileprivate func isBefore(_ other: Waiter) -> Bool {
            priority == other.priority ? order < other.order : priority > other.priority
        }
    }

    private var waiters: [Int: Waiter] = [:]
    /// A binary heap. Those who have left, or changed, are passed over, and swept out when they are the most.
    private var heap: [Waiter] = []
    /// How many wait with a priority.
    private var counts: [Double: Int] = [:]
    private var lastOrder = 0

    package init() {}

    package var isEmpty: Bool { waiters.isEmpty }
    package var count: Int { waiters.count }
    package var all: some Collection<Waiter> { waiters.values }

    package func contains(_ id: Int) -> Bool { waiters[id] != nil }

    /// How many go before one who comes now.
    package func count(before priority: Double) -> Int {
        counts.reduce(0) { $0 + ($1.key >= priority ? $1.value : 0) }
    }

    package mutating func add(_ id: Int, priority: Double, latest: Duration?) {
        guard waiters[id] == nil else { return }
        let priority = priority.isNaN ? 0 : priority
        lastOrder &+= 1
        insert(Waiter(id: id, priority: priority, latest: latest, order: lastOrder))
    }

    /// Takes one out; false where there is no such.
    @discardableResult package mutating func remove(_ id: Int) -> Bool {
        guard let waiter = waiters.removeValue(forKey: id) else { return false }
        let left = counts[waiter.priority, default: 1] - 1
        counts[waiter.priority] = left > 0 ? left : nil
        return true
    }

    /// Gives one a higher priority and a later end, where these are: among its new equals it is where its coming puts it.
    package mutating func raise(_ id: Int, to priority: Double, latest: Duration?) {
        guard var waiter = waiters[id] else { return }
        let before = waiter
        waiter.priority = priority > waiter.priority ? priority : waiter.priority
        waiter.latest = waiter.latest.flatMap { own in latest.map { max(own, $0) } }
        guard waiter != before else { return }
        remove(id)
        insert(waiter)
    }

    /// Takes out who is next.
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
            // In order, an array is a heap.
            heap = waiters.values.sorted { $0.isBefore($1) }
        }
        waiters[waiter.id] = waiter
        counts[waiter.priority, default: 0] += 1
        heap.append(waiter)
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func removeTop() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var place = 0
        while true {
            let children = heap.indices.dropFirst(2 * place + 1).prefix(2)
            guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }), heap[least].isBefore(heap[place])
            else { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
