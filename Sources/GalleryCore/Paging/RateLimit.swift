public import Errand

/// The hourly rate limit that the server sends with each response.
public struct RateLimit: Sendable, Hashable {
    /// The number of API calls per hour.
    public let limit: Int
    /// The number of remaining API calls in this hour.
    public let remaining: Int

    /// Parses `X-Ratelimit-Limit` and `X-Ratelimit-Remaining`. Returns `nil` if one of them is missing or invalid.
    public init?(head: ResponseHead) {
        func count(_ name: String) -> Int? { head.headers[name].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
        guard let limit = count("X-Ratelimit-Limit"), let remaining = count("X-Ratelimit-Remaining") else { return nil }
        self.limit = limit
        self.remaining = remaining
    }
}
