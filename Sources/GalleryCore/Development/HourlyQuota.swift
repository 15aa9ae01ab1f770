/// How many calls an hour are allowed: a pure count on a clock that is given.
package struct HourlyQuota: Sendable {
    package let limit: Int
    private var used = 0
    private var start: Duration

    package init(limit: Int, start: Duration) {
        self.limit = max(0, limit)
        self.start = start
    }

    /// Counts a call, and says how many are left after it; nil where none was left.
    package mutating func take(at now: Duration) -> Int? {
        if now - start >= .seconds(3_600) {
            start = now
            used = 0
        }
        guard used < limit else { return nil }
        used += 1
        return limit - used
    }
}
