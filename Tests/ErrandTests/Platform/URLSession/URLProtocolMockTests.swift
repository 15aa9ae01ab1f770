import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

/// A typical `URLProtocol` mock: one static handler, installed with a configuration.
final class TutorialMock: URLProtocol {
    typealias Handler = @Sendable (URLRequest) throws -> (HTTPURLResponse, Data)
    static let handlers = Locked<[String: Handler]>([:])

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        do {
            let handler = Self.handlers.withLock { [host = request.url?.host() ?? ""] in $0[host] }
            guard let handler else { throw URLError(.cannotFindHost) }
            let (response, data) = try handler(request)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: data)
            client?.urlProtocolDidFinishLoading(self)
        } catch {
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    static func session(host: String, handler: @escaping Handler) -> URLSession {
        handlers.withLock { $0[host] = handler }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [TutorialMock.self]
        configuration.httpAdditionalHeaders = ["X-App": "demo"]
        return URLSession(configuration: configuration)
    }
}

struct Greeting: Codable, Equatable { let text: String }

/// A handler that requests a greeting with `GET`. Each test uses its own host.
struct GreetingAPI: APIHandler {
    let host: String
    var configure: @Sendable (inout RequestOptions) -> Void = { _ in }

    func makeRequest(from name: String) throws -> URLRequest {
        guard let url = URL(string: "http://\(host)/hello?name=\(name)") else { throw URLError(.badURL) }
        return URLRequest(url: url)
    }

    func options(for data: String) -> RequestOptions {
        var options = RequestOptions()
        configure(&options)
        return options
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Greeting {
        try defaultParseResponse(data: data, response: response)
    }
}

@Suite(.timeLimit(.minutes(1))) struct URLProtocolMockTests {
    private static func response(_ request: URLRequest, _ status: Int, _ fields: [String: String]) throws
        -> HTTPURLResponse
    {
        let url = try #require(request.url)
        return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields))
    }

    @Test func `a URLProtocol mock in an injected session receives the request`() async throws {
        let session = TutorialMock.session(host: "plain.test") { request in
            let agent = request.value(forHTTPHeaderField: "X-App") ?? "none"
            let body = Data(#"{"text":"\#(agent) \#(request.url?.query ?? "")"}"#.utf8)
            return (try Self.response(request, 200, ["Content-Type": "application/json"]), body)
        }
        let greeting = try await APILoader(GreetingAPI(host: "plain.test"), session: session).load("eva")
        #expect(greeting == Greeting(text: "demo name=eva"))
    }

    /// The platform's timeout may crash the process on Linux (in `didCompleteRedirectCallback`), so it must never
    /// expire.
    @Test(arguments: [Duration.seconds(20), .seconds(60), .seconds(1_000_000)])
    func `the platform's timeout exceeds every timeout of the adapter`(idle: Duration) async throws {
        let session = TutorialMock.session(host: "\(idle.components.seconds).patient.test") { request in
            let response = try Self.response(request, 200, ["Content-Type": "application/json"])
            return (response, Data(#"{"text":"\#(request.timeoutInterval)"}"#.utf8))
        }
        let api = GreetingAPI(host: "\(idle.components.seconds).patient.test") { $0.idleTimeout = idle }
        let greeting = try await APILoader(api, session: session).load("eva")
        #expect(greeting == Greeting(text: "86400.0"))
    }

    @Test func `a 401 response with a challenge is a status error`() async throws {
        let session = TutorialMock.session(host: "password.test") { request in
            (try Self.response(request, 401, ["WWW-Authenticate": #"Basic realm="x""#]), Data("no".utf8))
        }
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(GreetingAPI(host: "password.test"), session: session).load("eva")
        }
        #expect(error?.code == .status && error?.status == 401)
        #expect(error?.body == Data("no".utf8))
    }

    @Test func `a mock's error keeps its code`() async throws {
        let session = TutorialMock.session(host: "offline.test") { _ in throw URLError(.notConnectedToInternet) }
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(GreetingAPI(host: "offline.test"), session: session).load("eva")
        }
        #expect(error?.code == .connection)
    }
}
