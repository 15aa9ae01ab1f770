import Errand
import ErrandSupport

/// A session with responses by path. It counts concurrent requests.
final class CountingSession: APISession {
    typealias Handler = @Sendable (_ path: String) async throws -> (Int, HeaderFields, Data)

    private struct State {
        var recorded: [APIRequest] = []
        var running = 0
        var most = 0
    }

    /// The responses to HEAD requests.
    private let head: Handler
    private let handler: Handler
    private let state = Locked(State())

    convenience init(_ handler: @escaping Handler) {
        self.init(head: handler, handler)
    }

    init(head: @escaping Handler, _ handler: @escaping Handler) {
        self.head = head
        self.handler = handler
    }

    var recorded: [APIRequest] { state.withLock { $0.recorded } }
    var paths: [String] { recorded.map { $0.head.url?.path ?? "" } }
    var maximumConcurrency: Int { state.withLock { $0.most } }

    func send(_ request: APIRequest) async throws -> APIResponse {
        state.withLock { state in
            state.recorded.append(request)
            state.running += 1
            state.most = max(state.most, state.running)
        }
        defer { state.withLock { $0.running -= 1 } }
        guard let url = request.head.url else { throw ServiceError(.encoding, "expected a URL") }
        let isHead = request.head.httpMethod == "HEAD"
        let (status, headers, body) = try await (isHead ? head : handler)(url.path)
        let head = ResponseHead(status: status, headers: headers, url: url)
        return APIResponse(head: head, body: ResponseBody(isHead ? Data() : body))
    }
}
