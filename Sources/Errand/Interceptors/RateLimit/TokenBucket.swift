/// Tokens that come at a steady pace, up to a burst; a call takes one.
///
/// It keeps the moment at which it will be full, not a count: so nothing is lost to rounding, and who waits until
/// ``ready`` finds a token there.
package struct TokenBucket: Sendable, Hashable {
    /// What one token takes to come.
    private let step: Duration
    private let burst: Int
    private var fullAt: Duration?

    package init(_ rate: RateLimitInterceptor.Policy.Rate) {
        let requests = min(max(1, rate.requests), 1_000_000_000)
        step = min(max(.zero, rate.interval), .seconds(86_400)) / requests
        burst = min(max(1, rate.burst), 1_000_000)
    }

    /// When a token is there; nil for at once.
    package var ready: Duration? { fullAt.map { $0 - step * (burst - 1) } }

    /// When so many tokens more than the next are there.
    package func ready(after others: Int) -> Duration? { ready.map { $0 + step * min(max(0, others), 1_000_000) } }

    package func isFull(at now: Duration) -> Bool { (fullAt ?? now) <= now }

    /// How many tokens are there, within 0 and the burst.
    package func tokens(at now: Duration) -> Double {
        guard let fullAt, fullAt > now, step > .zero else { return Double(burst) }
        return max(0, Double(burst) - (fullAt - now) / step)
    }

    /// Takes a token that is there.
    package mutating func take(at now: Duration) {
        fullAt = max(fullAt ?? now, now) + step
    }

    /// Gives back a token that was not used.
    package mutating func giveBack() {
        fullAt = fullAt.map { $0 - step }
    }
}
