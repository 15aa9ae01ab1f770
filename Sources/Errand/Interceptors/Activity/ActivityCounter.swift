/// What is in flight, and whether the main actor is on its way to hear of it.
package struct ActivityLedger: Sendable {
    package private(set) var current = 0
    private var isPublishing = false

    package init() {}

    /// Counts one more; true where the main actor is to be told.
    package mutating func begin() -> Bool {
        current += 1
        return request()
    }

    /// Counts one less; true where the main actor is to be told.
    package mutating func end() -> Bool {
        current -= 1
        return request()
    }

    /// What the main actor is told now.
    package mutating func publish() -> Int {
        isPublishing = false
        return current
    }

    private mutating func request() -> Bool {
        defer { isPublishing = true }
        return !isPublishing
    }
}
