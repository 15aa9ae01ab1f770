import Errand
import ErrandSupport

/// The handler of these tests: loads one page of a list of strings.
struct ListAPI: APIHandler {
    struct Query: Sendable, Hashable {
        let name: String
        var page: Int?

        init(_ name: String, page: Int? = nil) {
            self.name = name
            self.page = page
        }
    }

    func makeRequest(from query: Query) throws -> URLRequest {
        guard let url = URL(string: "http://h.test/\(query.name)/\(query.page ?? 1)") else { throw URLError(.badURL) }
        return URLRequest(url: url)
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
        try defaultParseResponse(data: data, response: response)
    }
}

/// A session that ignores cancellation. Each response is sent when the test releases it.
final class HeldSession: APISession {
    /// A request that waits for its response.
    struct Held {
        /// The number of the request, starting at 1.
        let number: Int
        let path: String
        fileprivate let continuation: CheckedContinuation<APIResponse, any Error>
    }

    private struct State {
        var held: [Held] = []
        var arrived = 0
    }

    private let state = Locked(State())

    /// The number of requests received.
    var arrived: Int { state.withLock { $0.arrived } }
    /// The requests that wait for a response, sorted by path.
    var held: [Held] { state.withLock { $0.held.sorted { ($0.path, $0.number) < ($1.path, $1.number) } } }

    func send(_ request: APIRequest) async throws -> APIResponse {
        let response = try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.arrived += 1
                state.held.append(Held(number: state.arrived, path: request.path, continuation: continuation))
            }
        }
        // The Thread Sanitizer does not detect the order of events if the continuation is resumed before the task has
        // suspended (Swift issue 57803). It detects the order of locks.
        state.withLock { _ in }
        return response
    }

    /// Responds to the requests of a path with that path as text.
    func release(_ path: String) {
        for request in held where request.path == path { release(request, with: path) }
    }

    /// Responds to one request with a text and a `next` link up to page 3, or with an error if the text is `nil`.
    func release(_ request: Held, with text: String?) {
        let response = Result {
            guard let text, let url = URL(string: "http://h.test\(request.path)") else {
                throw URLError(.networkConnectionLost)
            }
            let hasNext = !request.path.hasSuffix("/3")
            let headers: HeaderFields = ["Link": "<?page=x>; rel=\"\(hasNext ? "next" : "last")\""]
            let head = ResponseHead(status: 200, headers: headers, url: url)
            return APIResponse(head: head, body: ResponseBody(Data(#"["\#(text)"]"#.utf8)))
        }
        state.withLock { state in state.held.removeAll { $0.number == request.number } }
        request.continuation.resume(with: response)
    }
}

/// Waits until a condition is true that other tasks change.
@MainActor func until(_ condition: @MainActor () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
