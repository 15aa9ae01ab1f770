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
        let start = SystemTime.system.now
        do {
            let response = try await next.send(request)
            let attempt = Trail.Attempt(
                status: response.head.status, failure: nil, elapsed: SystemTime.system.now - start)
            recorder.recordIfFirst(attempt, metrics: response.metrics)
            explain(request, recorder.trail)
            return response
        } catch {
            let failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            let attempt = Trail.Attempt(
                status: failure.status, failure: failure.code, elapsed: SystemTime.system.now - start)
            recorder.recordIfFirst(attempt, metrics: nil)
            explain(request, recorder.trail)
            throw error
        }
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
