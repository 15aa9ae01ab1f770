import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// What the rows of the error page need to provoke an error.
enum ErrorScene {
    struct Broken: Error {}
    struct Photo: Codable, Sendable { let title: String }

    static let environment = CustomEnvironment<APIPath>(name: "test", baseURL: "https://api.example")

    static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    static func request(
        _ url: String = "https://api.example/photos", _ method: String = "GET", body: RequestBody = .none,
        _ change: (inout URLRequest) throws -> Void = { _ in }
    ) throws -> APIRequest {
        var head = URLRequest(url: try Self.url(url))
        head.httpMethod = method
        try change(&head)
        return APIRequest(head: head, body: body)
    }

    static func head(
        _ status: Int = 200, _ headers: HeaderFields = [:], at url: String = "https://api.example/photos"
    ) throws -> ResponseHead {
        ResponseHead(status: status, headers: headers, url: try Self.url(url))
    }

    /// Loads an endpoint from a session that returns the replies.
    static func load<Value>(_ endpoint: Endpoint<Value>, _ replies: CannedReply...) async throws -> Value {
        try await APIClient(environment: environment, session: ScriptedSession(replies)).request(endpoint)
    }

    /// Loads a photo from a session that returns the reply.
    static func photo(_ reply: CannedReply, _ validators: [ResponseValidator] = [.status()]) async throws -> Photo {
        try await load(Endpoint<Photo>(path: "photos/1", validators: validators), reply)
    }

    /// Sends a request through an interceptor.
    static func send(
        _ request: APIRequest, through interceptor: some Interceptor, _ replies: CannedReply..., times: Int = 1
    ) async throws -> APIResponse? {
        let session = ScriptedSession(replies).intercepted(by: interceptor)
        var last: APIResponse?
        for index in 1...times {
            do { last = try await session.send(request) } catch  where index < times {}
        }
        return last
    }

    /// Calls a function in a cancelled task.
    static func cancelled<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task {
            await waitUntilCancelled()
            return try await body()
        }
        task.cancel()
        return try await task.value
    }

    /// Parses a header section.
    static func message(_ lines: String...) throws -> MessageHead {
        try MessageHead(Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    static func expand(_ template: String, _ variables: [String: any URITemplate.Variable] = [:]) throws -> String {
        try APIPath(template: template, variables).expand()
    }
}
