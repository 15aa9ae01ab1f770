/// A first-in, first-out queue. Appending, taking the first element and removing any other take constant time on
/// average.
package struct FIFOQueue<Element: Hashable & Sendable>: Sendable {
    private var entries: ArraySlice<(element: Element, number: Int)> = []
    /// The elements in the queue with their numbers. Entries of the list with other numbers are skipped.
    private var numbers: [Element: Int] = [:]
    private var last = 0

    package init() {}

    package var isEmpty: Bool { numbers.isEmpty }

    /// Adds an element that is not in the queue.
    package mutating func append(_ element: Element) {
        last += 1
        entries.append((element, last))
        numbers[element] = last
    }

    package mutating func popFirst() -> Element? {
        while let (element, number) = entries.popFirst() {
            guard numbers[element] == number else { continue }
            numbers[element] = nil
            return element
        }
        return nil
    }

    /// Removes an element. Returns `false` if it is not in the queue.
    package mutating func remove(_ element: Element) -> Bool {
        guard numbers.removeValue(forKey: element) != nil else { return false }
        // Limits the list to twice the number of elements.
        if entries.count > 64, entries.count > 2 * numbers.count {
            entries = entries.filter { numbers[$0.element] == $0.number }[...]
        }
        return true
    }
}
