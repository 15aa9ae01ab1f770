/// The number of requests in flight, and whether an update of the main actor is pending.
package struct ActivityCounter: Sendable {
    package private(set) var current = 0
    private var isPublishing = false

    package init() {}

    /// Adds a request. Returns whether the main actor has to be updated.
    package mutating func begin() -> Bool {
        current += 1
        return request()
    }

    /// Removes a request. Returns whether the main actor has to be updated.
    package mutating func end() -> Bool {
        current -= 1
        return request()
    }

    /// Returns the number for the main actor.
    package mutating func publish() -> Int {
        isPublishing = false
        return current
    }

    private mutating func request() -> Bool {
        defer { isPublishing = true }
        return !isPublishing
    }
}
