extension Trail {
    /// One attempt to send a request, an element of ``ServiceError/attempts``.
    public struct Attempt: Sendable, Hashable {
        /// The status of the response, or `nil` if no response was received.
        public let status: Int?
        /// The reason for the failure, or `nil` if the attempt succeeded.
        public let failure: ServiceError.Code?
        /// The duration of the attempt.
        public let elapsed: Duration
        /// A short note about the next step, without secrets: the time until the retry, or the reason against a
        /// retry. `nil` if no decision was needed.
        public var note: String?

        /// Creates an attempt.
        public init(status: Int?, failure: ServiceError.Code?, elapsed: Duration, note: String? = nil) {
            self.status = status
            self.failure = failure
            self.elapsed = elapsed
            self.note = note
        }
    }
}
