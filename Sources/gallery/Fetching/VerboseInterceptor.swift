import Errand
import ErrandSupport

/// Prints a line for each request as soon as it has ended, with its status and how long it took: `--verbose`.
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
        // A line that nobody reads any more is no reason to lose the answer.
        try? console.error.write(line + "\n")
    }
}
