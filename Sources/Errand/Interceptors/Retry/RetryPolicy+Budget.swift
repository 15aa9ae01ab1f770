extension RetryPolicy {
    /// A budget of tokens for the retries of requests to one origin. Retries take tokens, and successes return them.
    ///
    /// In an outage, a client stops retrying as soon as the tokens are used up, and sends each request only once.
    public struct Budget: Sendable, Hashable {
        /// The maximum number of tokens, which is also the initial number. The default is 500.
        public let capacity: Int
        /// The cost of a retry. The default is 5.
        public let retryCost: Int
        /// The cost of a retry after a timeout. The default is 10.
        public let timeoutCost: Int
        /// The number of tokens that a success at the first attempt returns. The default is 1. A success at a later
        /// attempt returns the cost of that attempt.
        public let refund: Int
        /// The number of available tokens.
        public private(set) var tokens: Int

        /// Creates a full budget. Negative numbers are replaced by zero.
        public init(capacity: Int = 500, retryCost: Int = 5, timeoutCost: Int = 10, refund: Int = 1) {
            self.capacity = max(0, capacity)
            self.retryCost = max(0, retryCost)
            self.timeoutCost = max(0, timeoutCost)
            self.refund = max(0, refund)
            tokens = self.capacity
        }

        /// Whether all tokens are available.
        package var isFull: Bool { tokens == capacity }

        /// Takes the cost of a retry. Returns `nil` if not enough tokens are available.
        package mutating func take(for reason: RetryPolicy.Reason) -> Int? {
            let cost = reason == .timeout ? timeoutCost : retryCost
            guard tokens >= cost else { return nil }
            tokens -= cost
            return cost
        }

        /// Returns tokens after a success: the cost of the successful retry, or the refund if there was no retry.
        package mutating func giveBack(_ cost: Int?) {
            tokens += min(cost ?? refund, capacity - tokens)
        }
    }
}
