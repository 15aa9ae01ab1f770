import Errand
import ErrandTesting
import Testing

/// A response as one line for comparisons: `200 hello`.
func told(_ response: APIResponse) async throws -> String {
    let body = try await response.body.collect()
    return "\(response.head.status) \(String(decoding: body, as: UTF8.self))"
}

extension StubSession {
    /// Sends a request with Errand to a host that belongs to no stub.
    func call(
        _ method: HTTPMethod = .get, _ path: String = "/", body: RequestBody = .none,
        _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> String {
        var head = URLRequest(url: try #require(URL(string: "https://api.test\(path)")))
        head.httpMethod = method.rawValue
        var options = RequestOptions()
        configure(&options)
        return try await told(try await send(APIRequest(head: head, body: body, options: options)))
    }

    /// Sends a request to the stub's URL without Errand: with a data task and a completion handler.
    func plainCall(_ path: String, _ configure: (inout URLRequest) -> Void = { _ in }) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: path, relativeTo: url)))
        configure(&request)
        return try await urlSession.completed(request)
    }
}

extension URLSession {
    /// The queue for creating tasks. This waits for the platform's single queue, which another test can occupy, and
    /// must not block a thread that all tests share.
    static let starts = DispatchQueue(label: "test.starts")

    /// Returns the response of a data task with a completion handler.
    func completed(_ request: URLRequest) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Self.starts.async {
                self.dataTask(with: request) { data, response, error in
                    if let error { return continuation.resume(throwing: error) }
                    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                    continuation.resume(returning: "\(status) \(String(decoding: data ?? Data(), as: UTF8.self))")
                }.resume()
            }
        }
    }
}
