extension APIRequest {
    /// Returns the trail of the completed API call. Its attempts are those that the interceptors recorded. If they
    /// recorded none, `attempt` is the only one.
    func trail(endingWith attempt: Trail.Attempt, _ metrics: TransportMetrics?) -> Trail {
        guard let recorder = options.trail else { return Trail() }
        recorder.recordIfFirst(attempt, metrics: metrics)
        return recorder.trail
    }

    /// Sets an `Idempotency-Key` header unless the handler has set one.
    mutating func addIdempotencyKey(from random: any RandomSource) {
        guard head.value(forHTTPHeaderField: RequestOptions.Idempotency.field) == nil else { return }
        head.setAbsent([RequestOptions.Idempotency.field: random.uuid()])
    }
}
