import Errand

/// Prints what happened on each call, as soon as it has ended: `--explain`.
struct ExplainLayer: Interceptor {
    let console: Console
    let key: Secret?

    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        var request = request
        let recorder = request.options.trail ?? Trail.Recorder(redaction: request.options.redaction)
        request.options.trail = recorder
        let start = SystemTime.system.now
        do {
            let response = try await next.send(request)
            let attempt = Attempt(
                status: response.head.status, failure: nil, elapsed: SystemTime.system.now - start)
            recorder.recordIfFirst(attempt, metrics: response.metrics)
            explain(request, recorder.trail)
            return response
        } catch {
            let failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            let attempt = Attempt(
                status: failure.status, failure: failure.code, elapsed: SystemTime.system.now - start)
            recorder.recordIfFirst(attempt, metrics: nil)
            explain(request, recorder.trail)
            throw error
        }
    }

    /// In one piece, as others print as well.
    private func explain(_ request: APIRequest, _ trail: Trail) {
        let lines = "\(trail)".split(separator: "\n").map { "  \($0)\n" }.joined()
        // An explanation that nobody reads any more is no reason to lose the answer.
        try? console.error.write(KeyMask(key).hide("\(request.summary)\n\(lines)"))
    }
}
