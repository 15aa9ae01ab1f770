public import Errand

/// How many calls the server still allows in this hour, as it says in each answer.
public struct RateLimit: Sendable, Hashable {
    /// How many calls an hour there are.
    public let limit: Int
    /// How many of them are left.
    public let remaining: Int

    /// Reads `X-Ratelimit-Limit` and `X-Ratelimit-Remaining`; nil where either is missing or no count.
    public init?(head: ResponseHead) {
        func count(_ name: String) -> Int? { head.fields[name].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
        guard let limit = count("X-Ratelimit-Limit"), let remaining = count("X-Ratelimit-Remaining") else { return nil }
        self.limit = limit
        self.remaining = remaining
    }
}
