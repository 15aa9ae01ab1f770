/// A priority queue of deadlines, implemented as a binary heap.
package struct TimerQueue<Payload> {
    package typealias Instant = ContinuousClock.Instant

    private var heap: [(deadline: Instant, payload: Payload)] = []

    package init() {}

    package var nextDeadline: Instant? { heap.first?.deadline }

    package mutating func add(_ payload: Payload, at deadline: Instant) {
        heap.append((deadline, payload))
        var child = heap.count - 1
        while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the earliest payload if its deadline has passed.
    package mutating func popDue(at now: Instant) -> Payload? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let child = smallerChild(of: parent), heap[child].deadline < heap[parent].deadline {
            heap.swapAt(child, parent)
            parent = child
        }
        return first.payload
    }

    private func smallerChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        let right = left + 1
        return right < heap.count && heap[right].deadline < heap[left].deadline ? right : left
    }
}
