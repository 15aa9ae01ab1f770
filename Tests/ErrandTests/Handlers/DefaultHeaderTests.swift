import Errand
import ErrandTesting
import Foundation
import Testing

/// The default headers of an environment, sent by handlers and endpoints.
@Suite(.timeLimit(.minutes(1))) struct DefaultHeaderTests {
    enum ShopEnvironment: String, APIEnvironment {
        case production, broken
        var baseURL: BaseURL { "https://api.shop.example/v1" }
        var defaultHeaders: HeaderFields {
            switch self {
            case .production:
                ["Accept-Version": "v1", "Accept": "application/vnd.shop+json", "X-Tag": "a", "x-tag": "b"]
            case .broken: ["X-Broken": "a\nb"]
            }
        }
    }

    /// A handler in the style of the README.
    struct PhotosAPI: APIHandler {
        let environment: ShopEnvironment

        func makeRequest(from query: [String: Int]) throws -> URLRequest {
            var request = URLRequest(url: try environment.url(for: "photos"))
            try setQueryParams(query, on: &request)
            setDefaultHeaders(on: &request)
            return request
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    struct ReportAPI: APIHandler {
        let environment: ShopEnvironment

        func makeRequest(from input: Void) throws -> URLRequest {
            var request = URLRequest(url: try environment.url(for: "report"))
            setDefaultHeaders(
                on: &request, accept: "text/csv", userAgent: UserAgent(product: "a", version: "1", platform: "x"))
            return request
        }

        func parseResponse(data: Data, response: HTTPURLResponse) {}
    }

    struct PlainAPI: APIHandler {
        func makeRequest(from input: Void) throws -> URLRequest {
            var request = URLRequest(url: try #require(URL(string: "https://api.shop.example/")))
            setDefaultHeaders(on: &request)
            return request
        }

        func parseResponse(data: Data, response: HTTPURLResponse) {}
    }

    private static func headers(_ request: APIRequest) -> [String: String] {
        request.head.allHTTPHeaderFields ?? [:]
    }

    @Test func `a handler and an endpoint send the same default headers`() async throws {
        let session = ScriptedSession([.json("[]"), .json("[]")])
        _ = try await APILoader(PhotosAPI(environment: .production), session: session).load(["page": 2])
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        let _: [String] = try await client.request(Endpoint(path: "photos", parameters: ["page": 2]))
        let (handler, endpoint) = (try #require(session.recorded.first), try #require(session.recorded.last))
        #expect(Self.headers(handler) == Self.headers(endpoint) && handler.url == endpoint.url)
        #expect(handler.headers["Accept-Version"] == "v1" && handler.headers["X-Tag"] == "a,b")
        #expect(handler.headers["Accept"] == "application/vnd.shop+json")
        #expect(handler.headers["User-Agent"] == UserAgent.errand.description)
    }

    /// Loads a URL that came in a response body.
    struct LinkAPI: APIHandler {
        let environment: ShopEnvironment

        func makeRequest(from url: URL) throws -> URLRequest {
            var request = URLRequest(url: url)
            setDefaultHeaders(on: &request)
            return request
        }

        func parseResponse(data: Data, response: HTTPURLResponse) {}
    }

    @Test(arguments: [
        ("https://api.shop.example/v1/a", true), ("https://API.shop.example:443/b", true),
        ("https://cdn.example/a", false), ("http://api.shop.example/v1/a", false),
        ("https://api.shop.example:8443/v1/a", false),
    ])
    func `environment headers are sent only to the environment's origin`(link: String, isOwn: Bool) throws {
        let request = try LinkAPI(environment: .production).makeRequest(from: #require(URL(string: link)))
        #expect((request.value(forHTTPHeaderField: "Accept-Version") != nil) == isOwn)
        #expect(request.value(forHTTPHeaderField: "User-Agent") == UserAgent.errand.description)
    }

    @Test func `an argument of the handler overrides the environment's header`() throws {
        let request = try ReportAPI(environment: .production).makeRequest(from: ())
        #expect(request.value(forHTTPHeaderField: "Accept") == "text/csv")
        #expect(request.value(forHTTPHeaderField: "User-Agent") == "a/1 (x)")
        #expect(request.value(forHTTPHeaderField: "Accept-Version") == "v1")
    }

    @Test func `a handler without an environment sends the library's default headers`() throws {
        let request = try PlainAPI().makeRequest(from: ())
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(Set((request.allHTTPHeaderFields ?? [:]).keys) == ["Accept", "Accept-Language", "User-Agent"])
    }

    @Test func `an invalid default header fails handler and endpoint calls`() async throws {
        let session = ScriptedSession([])
        let loader = APILoader(PhotosAPI(environment: .broken), session: session)
        let client = APIClient(environment: ShopEnvironment.broken, session: session)
        let one = await #expect(throws: ServiceError.self) { try await loader.load([:]) }
        let other = await #expect(throws: ServiceError.self) {
            let _: [String] = try await client.request(Endpoint(path: "photos"))
        }
        #expect(one?.code == .encoding && other?.code == .encoding && session.recorded.isEmpty)
        // One of the two messages has the name of the call as a prefix.
        for error in [one, other] {
            #expect(error?.reason.hasSuffix("invalid value of X-Broken: found a line break or NUL") == true)
        }
    }
}
