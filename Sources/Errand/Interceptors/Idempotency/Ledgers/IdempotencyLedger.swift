/// A ledger of idempotency keys and the responses to their requests, for an ``IdempotencyInterceptor``.
///
/// A key is reserved while its request is being sent, and then holds the response until its lifetime ends. A reservation ends
/// if its owner does not extend it, for example because its process was killed.
public protocol IdempotencyLedger: Sendable {
    /// Reserves a key in one atomic step, or extends the reservation of the same owner.
    ///
    /// - Parameters:
    ///   - key: The name of the key, with at most 256 bytes.
    ///   - request: A digest of the request. A key must not be used for two different requests.
    ///   - owner: The identifier of the owner.
    ///   - lease: The time for which the reservation lasts, unless it is extended.
    /// - Returns: The state of the key.
    /// - Throws: Any error of the ledger.
    func begin(
        _ key: String, request: String, owner: String, lease: Duration
    ) async throws -> IdempotencyDecision

    /// Records the response to the request of a key. Does nothing if another owner has reserved the key in the meantime, or if the key
    /// has a response.
    func finish(_ key: String, owner: String, with response: IdempotencyRecord) async throws

    /// Ends the reservation of an owner without a response.
    func abandon(_ key: String, owner: String) async throws
}

/// The state of a key in an ``IdempotencyLedger``.
public enum IdempotencyDecision: Sendable {
    /// The key is reserved. Its owner sends the request.
    case reserved
    /// Another owner sends the request. Its reservation ends after this time, unless it is extended.
    case busy(Duration)
    /// A response was recorded.
    case recorded(IdempotencyRecord)
    /// The key was used for another request.
    case otherRequest
}
