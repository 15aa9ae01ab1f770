import ErrandSupport

/// The state of a key: its request, and the owner or the response. Times are seconds of the ledger's clock.
struct IdempotencyState: Codable, Sendable {
    let request: String
    private(set) var owner: String?
    /// The end of the reservation.
    private(set) var until: Double
    private(set) var response: Data?
    /// The time at which the response expires.
    private(set) var expiry: Double?

    /// Reserves a key, or extends its reservation. Returns the new state, or `nil` if it does not change.
    static func begin(
        _ old: IdempotencyState?, request: String, owner: String, lease: Duration, at now: Double
    ) -> (IdempotencyDecision, IdempotencyState?) {
        let length = max(0, Double(lease.wholeMicroseconds) / 1e6)
        let new = IdempotencyState(request: request, owner: owner, until: now + length)
        guard let old else { return (.reserved, new) }
        if let response = old.response, old.expiry ?? 0 > now {
            guard old.request == request else { return (.otherRequest, nil) }
            // A response that cannot be read was written by another program. The server still knows the key.
            return IdempotencyRecord(response).map { (.recorded($0), nil) } ?? (.reserved, new)
        }
        // If the clock was set back, a reservation does not become longer.
        let left = min(old.until - now, length)
        guard old.owner != owner, old.response == nil, left > 0 else { return (.reserved, new) }
        return old.request == request ? (.busy(.microseconds(Int64(left * 1e6))), nil) : (.otherRequest, nil)
    }

    /// Returns the state with a response, or `nil` for the reservation of another owner.
    func finished(_ owner: String, _ response: Data, until expiry: Double) -> IdempotencyState? {
        guard self.owner == owner, self.response == nil else { return nil }
        var state = self
        (state.owner, state.until, state.response, state.expiry) = (nil, 0, response, expiry)
        return state
    }

    private init(request: String, owner: String, until: Double) {
        (self.request, self.owner, self.until) = (request, owner, until)
    }

    /// Whether the reservation and the time of the response are over.
    func isOver(at now: Double) -> Bool { now >= max(until, expiry ?? 0) }
}
