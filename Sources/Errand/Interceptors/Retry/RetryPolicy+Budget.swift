extension RetryPolicy {
    /// What repetitions may cost: tokens that they take and that successes give back.
    ///
    /// In an outage each client sends its requests once, not three times, as soon as the tokens are used up.
    public struct Budget: Sendable, Hashable {
        /// The most tokens, with which it begins: 500.
        public let capacity: Int
        /// What a repetition takes: 5.
        public let retryCost: Int
        /// What one after a time-out takes: 10.
        public let timeoutCost: Int
        /// What a success at the first attempt gives back: 1. One at a later attempt gives back what that attempt took.
        public let refund: Int
        /// What is left.
        public private(set) var tokens: Int

        /// Makes a full budget; negative numbers are zero.
        public init(capacity: Int = 500, retryCost: Int = 5, timeoutCost: Int = 10, refund: Int = 1) {
            self.capacity = max(0, capacity)
            self.retryCost = max(0, retryCost)
            self.timeoutCost = max(0, timeoutCost)
            self.refund = max(0, refund)
            tokens = self.capacity
        }

        /// Whether nothing has to be given back.
        package var isFull: Bool { tokens == capacity }

        /// Takes what a repetition costs; nil where that is not there.
        package mutating func take(for reason: RetryPolicy.Reason) -> Int? {
            let cost = reason == .timeout ? timeoutCost : retryCost
            guard tokens >= cost else { return nil }
            tokens -= cost
            return cost
        }

        /// Gives back what a success is worth: what its own repetition took, or the refund.
        package mutating func giveBack(_ cost: Int?) {
            tokens += min(cost ?? refund, capacity - tokens)
        }
    }
}
