/// One try at sending a request, as ``ServiceError/attempts`` lists it.
public struct Attempt: Sendable, Hashable {
    /// The status that came back, where a head arrived.
    public let status: Int?
    /// Why the try failed, where it did.
    public let failure: ServiceError.Code?
    /// How long the try took, from its start to its end.
    public let elapsed: Duration

    /// Describes one try.
    public init(status: Int?, failure: ServiceError.Code?, elapsed: Duration) {
        self.status = status
        self.failure = failure
        self.elapsed = elapsed
    }
}
