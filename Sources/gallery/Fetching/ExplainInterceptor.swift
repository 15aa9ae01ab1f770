import Errand
import ErrandSupport

/// Implements `--explain`: prints the events of each request when it ends.
struct ExplainInterceptor: Interceptor {
    let console: Console
    let key: Secret?

    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        var request = request
        let recorder = request.options.trail ?? Trail.Recorder(redaction: request.options.redaction)
        request.options.trail = recorder
        defer { explain(request, recorder.trail) }
        return try await next.send(request)
    }

    /// Prints the events in one write, because other requests print concurrently.
    private func explain(_ request: APIRequest, _ trail: Trail) {
        let mask = KeyMask(key)
        let lines = "\(trail)".unicodeScalars.split(separator: "\n").map { mask.hide(String($0)).singleLine() }
        let text = ([mask.hide("\(request.summary)").singleLine()] + lines.map { "  \($0)" }).joined(separator: "\n")
        // A failed write must not discard the response.
        try? console.error.write(text + "\n")
    }
}

/// Records the attempts of `--explain`. A request that the cache does not send has no attempt.
struct AttemptInterceptor: Interceptor {
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let start = SystemTime.system.now
        do {
            let response = try await next.send(request)
            record(request, response.head.status, nil, response.metrics, since: start)
            return response
        } catch {
            let failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            record(request, failure.status, failure.code, nil, since: start)
            throw error
        }
    }

    private func record(
        _ request: APIRequest, _ status: Int?, _ failure: ServiceError.Code?, _ metrics: TransportMetrics?,
        since start: Duration
    ) {
        let attempt = Trail.Attempt(status: status, failure: failure, elapsed: SystemTime.system.now - start)
        request.options.trail?.recordIfFirst(attempt, metrics: metrics)
    }
}
