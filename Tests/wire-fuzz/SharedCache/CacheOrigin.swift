import ErrandLoopback
import ErrandSupport
import Foundation

/// A server for `Tests/shared-cache.sh`. It counts its responses, which may be stored for an hour.
final class CacheOrigin: Sendable {
    /// The largest body in bytes.
    static let largestBody = 176_000
    private static let pattern = Data((0..<2 * largestBody).map { UInt8(truncatingIfNeeded: ($0 &* $0) >> 7) })

    private let counts = Locked<[String: Int]>([:])

    /// The body of a resource: 16 to 176 kB, which follow from its number.
    static func body(_ number: Int) -> Data {
        let start = number &* 131 % largestBody
        return pattern[start..<start + 16_000 + number &* 7_919 % 160_000]
    }

    func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard request.target != "/report" else { return .text(report) }
        guard let number = Int(request.target.dropFirst()), number >= 0 else { return .status(404) }
        counts.withLock { $0[request.target, default: 0] += 1 }
        return .data(Self.body(number)).header("Cache-Control", "max-age=3600").header("ETag", "\"\(number)\"")
    }

    /// The number of resources that were requested, and the number of requests.
    private var report: String {
        counts.withLock { "\($0.count) \($0.values.reduce(0, +))\n" }
    }
}
