import ErrandLoopback
import ErrandSupport
import Foundation

/// A server with a hard limit, which counts its requests, for `Tests/limits.sh`.
///
/// It measures the requests with a leaky bucket that empties at the rate of the limit. The level of the bucket is the number of
/// requests that came too early, so its maximum is the largest burst.
final class LimitServer: Sendable {
    private struct Bucket: Sendable {
        var requests = 0
        var refusals = 0
        var level = 0.0
        var largest = 0.0
        var first: ContinuousClock.Instant?
        var last = ContinuousClock.now
    }

    private let rate: Double
    private let burst: Double
    private let bucket = Locked(Bucket())

    /// - Parameters:
    ///   - rate: The requests in each second.
    ///   - burst: The level above which the server refuses.
    init(rate: Double, burst: Double) {
        (self.rate, self.burst) = (rate, burst)
    }

    func reply(to request: LoopbackRequest) -> LoopbackReply {
        if request.path == "/report" { return .text(report) }
        let now = ContinuousClock.now
        let isAllowed = bucket.withLock { bucket in
            bucket.first = bucket.first ?? now
            bucket.requests += 1
            bucket.level = max(0, bucket.level - (now - bucket.last) / .seconds(1) * rate)
            bucket.last = now
            guard bucket.level + 1 <= burst else {
                bucket.refusals += 1
                return false
            }
            bucket.level += 1
            bucket.largest = max(bucket.largest, bucket.level)
            return true
        }
        return isAllowed ? .text("ok") : .status(429)
    }

    /// The requests, the refusals, the largest burst, and the percentage of the limit that was used.
    private var report: String {
        bucket.withLock { bucket in
            let time = bucket.first.map { (bucket.last - $0) / .seconds(1) } ?? 0
            let used = time > 0 ? Double(bucket.requests - 1) / time / rate * 100 : 0
            return "\(bucket.requests) \(bucket.refusals) \(Int(bucket.largest.rounded(.up))) \(Int(used))\n"
        }
    }
}
