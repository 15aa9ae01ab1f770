/// What a host has said about how many more it takes, on our clock.
package struct ServerQuotas: Sendable, Hashable {
    private struct Quota: Sendable, Hashable {
        let name: String
        var remaining: Int
        let until: Duration
    }

    /// How far two answers' words on one reset may lie apart: fields count in whole seconds, and answers take their time.
    private static let tolerance: Duration = .seconds(2)

    private var quotas: [Quota] = []
    private var pausedUntil: Duration?

    package init() {}

    /// Until when no call may go; nil where one may.
    package func blocked(at now: Duration) -> Duration? {
        let empty = quotas.compactMap { $0.remaining == 0 ? $0.until : nil }
        guard let last = (empty + [pausedUntil].compactMap(\.self)).max(), last > now else { return nil }
        return last
    }

    /// Whether nothing of it holds any longer.
    package func isOver(at now: Duration) -> Bool {
        (pausedUntil ?? now) <= now && quotas.allSatisfy { $0.until <= now }
    }

    /// Counts a call that goes, until the host's own count comes; a negative one was not sent after all.
    package mutating func count(_ calls: Int, at now: Duration) {
        guard !quotas.isEmpty else { return }
        quotas.removeAll { $0.until <= now }
        for index in quotas.indices { quotas[index].remaining = max(0, quotas[index].remaining - calls) }
    }

    /// Takes in what an answer says; a 429 that names no wait is one of `pause`.
    package mutating func take(_ reading: RateLimitReading, pause: Duration, at now: Duration) {
        for quota in reading.quotas { take(quota, now) }
        var wait = reading.pause
        if wait == nil, reading.isRefusal, blocked(at: now) == nil { wait = pause }
        if let wait { pausedUntil = max(pausedUntil ?? now, now + wait) }
    }

    private mutating func take(_ told: RateLimitReading.Quota, _ now: Duration) {
        let until = now + told.reset
        // An answer that comes after its own reset says nothing any more.
        guard until > now else { return }
        let known = quotas.firstIndex { $0.name == told.name && $0.until > now }
        if let known, abs(quotas[known].until - until) <= Self.tolerance {
            // Answers overtake each other, and calls that are under way may not be in the host's count yet.
            quotas[known].remaining = min(quotas[known].remaining, told.remaining)
            return
        }
        quotas.removeAll { $0.until <= now || $0.name == told.name }
        if quotas.count >= RateLimitReading.mostQuotas { quotas.removeFirst() }
        quotas.append(Quota(name: told.name, remaining: told.remaining, until: until))
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
