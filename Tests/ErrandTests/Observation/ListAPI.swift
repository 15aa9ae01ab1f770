import Errand
import ErrandSupport

/// What these tests load: a page of a list of texts, as the session's body has them.
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

/// A session that pays no heed to cancellation: each request is answered when the test says so.
final class HeldSession: APISession {
    /// A request that waits for its answer.
    struct Held {
        /// Which of all requests it is, from 1.
        let number: Int
        let path: String
        fileprivate let continuation: CheckedContinuation<APIResponse, any Error>
    }

    private struct State {
        var held: [Held] = []
        var arrived = 0
    }

    private let state = Locked(State())

    /// How many requests have come.
    var arrived: Int { state.withLock { $0.arrived } }
    /// The requests that wait for an answer, by their paths.
    var held: [Held] { state.withLock { $0.held.sorted { ($0.path, $0.number) < ($1.path, $1.number) } } }

    func send(_ request: APIRequest) async throws -> APIResponse {
        let response = try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.arrived += 1
                state.held.append(Held(number: state.arrived, path: request.path, continuation: continuation))
            }
        }
        // The Thread Sanitizer does not see that a resume comes first where it comes before the task has suspended (Swift's
        // issue 57803). Locks it sees.
        state.withLock { _ in }
        return response
    }

    /// Answers the requests of a path with it.
    func release(_ path: String) {
        for request in held where request.path == path { release(request, with: path) }
    }

    /// Answers one request: with a text and a `next` link up to page 3, or, without a text, with an error.
    func release(_ request: Held, with text: String?) {
        let response = Result {
            guard let text, let url = URL(string: "http://h.test\(request.path)") else {
                throw URLError(.networkConnectionLost)
            }
            let hasNext = !request.path.hasSuffix("/3")
            let fields: HeaderFields = ["Link": "<?page=x>; rel=\"\(hasNext ? "next" : "last")\""]
            let head = ResponseHead(status: 200, fields: fields, url: url)
            return APIResponse(head: head, body: ResponseBody(Data(#"["\#(text)"]"#.utf8)))
        }
        state.withLock { state in state.held.removeAll { $0.number == request.number } }
        request.continuation.resume(with: response)
    }
}

/// Waits until something holds that other tasks bring about.
@MainActor func until(_ condition: @MainActor () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
