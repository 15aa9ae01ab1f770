extension APIRequest {
    /// Replaces the body of the parameters. Their content type does not belong to the new body.
    mutating func replaceBody(with body: RequestBody) {
        let isOfParameters = value(ofField: "Content-Type").map {
            [URLRequest.jsonType, URLRequest.formType].contains($0)
        }
        if self.body != .none, isOfParameters == true { head.setValue(nil, forHTTPHeaderField: "Content-Type") }
        self.body = body
    }

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
