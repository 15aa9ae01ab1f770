/// The quotas that a server has reported, on the clock of the client.
package struct ServerQuotas: Sendable, Hashable {
    private struct Quota: Sendable, Hashable {
        let name: String
        var remaining: Int
        let until: Duration
    }

    /// The maximum difference between two reports of the same reset time. Headers have a resolution of one second, and
    /// responses are delayed by the network.
    private static let tolerance: Duration = .seconds(2)

    private var quotas: [Quota] = []
    private var pausedUntil: Duration?

    package init() {}

    /// The time until which no requests can be sent, or `nil` if requests can be sent now.
    package func blocked(at now: Duration) -> Duration? {
        let empty = quotas.compactMap { $0.remaining == 0 ? $0.until : nil }
        guard let last = (empty + [pausedUntil].compactMap(\.self)).max(), last > now else { return nil }
        return last
    }

    /// Whether all quotas and pauses have ended.
    package func isOver(at now: Duration) -> Bool {
        (pausedUntil ?? now) <= now && quotas.allSatisfy { $0.until <= now }
    }

    /// Counts requests that are sent, until the next report of the server. A negative number gives back requests that
    /// were not sent.
    package mutating func count(_ calls: Int, at now: Duration) {
        guard !quotas.isEmpty else { return }
        quotas.removeAll { $0.until <= now }
        for index in quotas.indices { quotas[index].remaining = max(0, quotas[index].remaining - calls) }
    }

    /// Adds the limits in a response. A refusal without a reset time causes a wait of `pause`.
    package mutating func take(_ reading: RateLimitReading, pause: Duration, at now: Duration) {
        for quota in reading.quotas { take(quota, now) }
        var wait = reading.pause
        if wait == nil, reading.isRefusal, blocked(at: now) == nil { wait = pause }
        if let wait { pausedUntil = max(pausedUntil ?? now, now + wait) }
    }

    private mutating func take(_ told: RateLimitReading.Quota, _ now: Duration) {
        let until = now + told.reset
        // A quota with a reset time in the past has no effect.
        guard until > now else { return }
        let known = quotas.firstIndex { $0.name == told.name && $0.until > now }
        if let known, abs(quotas[known].until - until) <= Self.tolerance {
            // Responses can arrive out of order, and the server may not have counted the running requests yet.
            quotas[known].remaining = min(quotas[known].remaining, told.remaining)
            return
        }
        quotas.removeAll { $0.until <= now || $0.name == told.name }
        if quotas.count >= RateLimitReading.maximumQuotas { quotas.removeFirst() }
        quotas.append(Quota(name: told.name, remaining: told.remaining, until: until))
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
