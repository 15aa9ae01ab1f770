/// A token bucket: tokens arrive at a constant rate up to a burst, and each request takes one.
///
/// The bucket stores the time at which it will be full instead of a count. Rounding errors therefore do not
/// accumulate, and a request that waits until ``ready`` always finds a token.
package struct TokenBucket: Sendable, Hashable {
    /// The time in which one token arrives.
    private let step: Duration
    private let burst: Int
    private var fullAt: Duration?

    package init(_ rate: RateLimitInterceptor.Policy.Rate) {
        let requests = min(max(1, rate.requests), 1_000_000_000)
        step = min(max(.zero, rate.interval), .seconds(86_400)) / requests
        burst = min(max(1, rate.burst), 1_000_000)
    }

    /// The time at which a token is available, or `nil` if one is available now.
    package var ready: Duration? { fullAt.map { $0 - step * (burst - 1) } }

    /// The time at which a token is available after the given number of other requests.
    package func ready(after others: Int) -> Duration? { ready.map { $0 + step * min(max(0, others), 1_000_000) } }

    package func isFull(at now: Duration) -> Bool { (fullAt ?? now) <= now }

    /// The number of available tokens, from 0 to the burst.
    package func tokens(at now: Duration) -> Double {
        guard let fullAt, fullAt > now, step > .zero else { return Double(burst) }
        return max(0, Double(burst) - (fullAt - now) / step)
    }

    /// Takes an available token.
    package mutating func take(at now: Duration) {
        fullAt = max(fullAt ?? now, now) + step
    }

    /// Returns an unused token.
    package mutating func giveBack() {
        fullAt = fullAt.map { $0 - step }
    }
}
