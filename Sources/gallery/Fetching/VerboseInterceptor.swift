import Errand
import ErrandSupport

/// Implements `--verbose`: prints the status and the duration of each request when it ends.
struct VerboseInterceptor: Interceptor {
    let console: Console
    let key: Secret?

    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let start = SystemTime.system.now
        do {
            let response = try await next.send(request)
            say(request, "\(response.head.status) \(response.head.reason)", since: start)
            return response
        } catch {
            let failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            say(request, failure.reason, since: start)
            throw error
        }
    }

    private func say(_ request: APIRequest, _ outcome: String, since start: Duration) {
        let mask = KeyMask(key)
        let time = (SystemTime.system.now - start).milliseconds
        let line =
            "\(mask.hide("\(request.summary)").singleLine()): \(mask.hide(outcome).singleLine(limit: 200)) in \(time) ms"
        // A failed write must not discard the response.
        try? console.error.write(line + "\n")
    }
}
