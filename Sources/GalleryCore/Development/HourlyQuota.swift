/// A limit on the number of calls per hour. The caller supplies the time.
package struct HourlyQuota: Sendable {
    package let limit: Int
    private var used = 0
    private var start: Duration

    package init(limit: Int, start: Duration) {
        self.limit = max(0, limit)
        self.start = start
    }

    /// Counts a call. Returns the number of remaining calls, or `nil` if the quota was already exhausted.
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
