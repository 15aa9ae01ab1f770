import Errand
import TestSupport

/// A session that never responds.
struct StuckSession: APISession {
    func send(_ request: APIRequest) async throws -> APIResponse {
        await waitUntilCancelled()
        throw CancellationError()
    }
}
