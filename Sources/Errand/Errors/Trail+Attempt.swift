extension Trail {
    /// One try at sending a request, as ``ServiceError/attempts`` lists it.
    public struct Attempt: Sendable, Hashable {
        /// The status that came back, where a head arrived.
        public let status: Int?
        /// Why the try failed, where it did.
        public let failure: ServiceError.Code?
        /// How long the try took, from its start to its end.
        public let elapsed: Duration
        /// What followed from it, in one clause that is safe to print: when the request was sent again, or why it was not; nil
        /// where there was nothing to decide.
        public var note: String?

        /// Describes one try.
        public init(status: Int?, failure: ServiceError.Code?, elapsed: Duration, note: String? = nil) {
            self.status = status
            self.failure = failure
            self.elapsed = elapsed
            self.note = note
        }
    }
}
