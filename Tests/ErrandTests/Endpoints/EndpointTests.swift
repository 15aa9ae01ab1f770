import Errand
import ErrandTesting
import TestSupport
import Testing

enum ShopEnvironment: String, APIEnvironment, CaseIterable {
    case development, production

    var baseURL: BaseURL {
        switch self {
        case .development: "http://shop.test:8080/v1"
        case .production: BaseURL(subdomain: "api", domain: "shop.test", route: "v1")
        }
    }

    var defaultHeaders: HeaderFields { ["X-Shop": rawValue, "Accept-Language": "sv"] }
}

struct Customer: Codable, Equatable { let name: String }

extension Endpoint where Response == Customer {
    static func customer(_ id: String) -> Self { Endpoint(path: "customers/\(id)") }

    static func rename(_ id: String, to name: String) -> Self {
        Endpoint(method: .patch, path: "customers/\(id)", parameters: ["name": name])
    }
}

@Suite struct EndpointTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let endpoint: Endpoint<Void>
        let line: String
        var body: String?
        var type: String?
        var testDescription: String { name }
    }

    struct Filter: Encodable { let q: String; let tags: [String] }

    static let filter = Filter(q: "a b", tags: ["x", "y"])

    static let rows: [Row] = [
        Row(name: "no parameters", endpoint: Endpoint(path: "/ping"), line: "GET /v1/ping"),
        Row(
            name: "GET", endpoint: Endpoint(path: "ping", parameters: ["b": 2, "a": "1+1"]),
            line: "GET /v1/ping?a=1%2B1&b=2"),
        Row(
            name: "HEAD", endpoint: Endpoint(method: .head, path: "ping", parameters: ["a": 1]),
            line: "HEAD /v1/ping?a=1"),
        Row(
            name: "DELETE", endpoint: Endpoint(method: .delete, path: "p", parameters: ["a": 1]),
            line: "DELETE /v1/p?a=1"),
        Row(
            name: "POST is JSON",
            endpoint: Endpoint(method: .post, path: "p", parameters: ["a": ["b": 1 as (any Sendable)]]),
            line: "POST /v1/p", body: #"{"a":{"b":1}}"#, type: "application/json"),
        Row(
            name: "PUT with a form", endpoint: Endpoint(method: .put, path: "p", parameters: .form(filter)),
            line: "PUT /v1/p", body: "q=a+b&tags=x&tags=y", type: "application/x-www-form-urlencoded"),
        Row(
            name: "POST with a query",
            endpoint: Endpoint(method: .post, path: "p?z=1", parameters: .query(filter)),
            line: "POST /v1/p?z=1&q=a%20b&tags=x&tags=y"),
        Row(
            name: "JSON of a value",
            endpoint: Endpoint(method: .patch, path: "p", parameters: .json(Customer(name: "é"))),
            line: "PATCH /v1/p", body: #"{"name":"é"}"#, type: "application/json"),
    ]

    @Test(arguments: rows)
    func `the method determines the location of the parameters`(row: Row) throws {
        let request = try row.endpoint.makeRequest(from: ShopEnvironment.development)
        let url = try #require(request.url?.absoluteString)
        #expect("\(request.httpMethod ?? "") \(url)" == row.line.replacing("/v1", with: "http://shop.test:8080/v1"))
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == row.body)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == row.type)
    }

    @Test func `endpoint headers override environment headers, which override the defaults`() throws {
        var endpoint = Endpoint<Void>(path: "p")
        endpoint.headers = ["X-Shop": "mine"]
        let request = try endpoint.makeRequest(from: ShopEnvironment.production)
        #expect(request.value(forHTTPHeaderField: "X-Shop") == "mine")
        #expect(request.value(forHTTPHeaderField: "Accept-Language") == "sv")
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(request.value(forHTTPHeaderField: "User-Agent")?.hasPrefix("Errand/") == true)
        #expect(request.url?.absoluteString == "https://api.shop.test/v1/p")
    }

    @Test func `a client sends endpoints and returns decoded values`() async throws {
        let session = ScriptedSession([.json(#"{"name":"Eva"}"#), .json(#"{"name":"Åsa"}"#), .status(204), .json("7")])
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        #expect(try await client.request(.customer("7")) == Customer(name: "Eva"))
        #expect(try await client.request(.rename("a/b", to: "Åsa")) == Customer(name: "Åsa"))
        try await client.request(Endpoint<Void>(method: .delete, path: "customers/7"))
        let number = try await client.response(
            Endpoint(path: "number") { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })
        #expect(number.value == 7 && number.head.status == 200)
        #expect(
            session.recorded.compactMap { $0.head.url?.path(percentEncoded: true) } == [
                "/v1/customers/7", "/v1/customers/a%2Fb", "/v1/customers/7", "/v1/number",
            ])
    }

    struct ClientStub: ClientProtocol {
        let customer: Customer

        func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response {
            guard let value = customer as? Response else { throw ServiceError(.configuration, "no such stub") }
            return value
        }
    }

    struct Greeter {
        let client: any ClientProtocol
        func greet(_ id: String) async throws(ServiceError) -> String {
            "Hello, \(try await client.request(.customer(id)).name)"
        }
    }

    @Test func `a client stub returns typed results`() async throws {
        #expect(try await Greeter(client: ClientStub(customer: Customer(name: "Eva"))).greet("7") == "Hello, Eva")
    }

    @Test func `the method selects the location of unspecified parameters`() throws {
        let get = Endpoint<Void>(path: "p", parameters: Parameters(Self.filter))
        let post = Endpoint<Void>(method: .post, path: "p", parameters: Parameters(Self.filter))
        #expect(try get.makeRequest(from: ShopEnvironment.production).url?.query() == "q=a%20b&tags=x&tags=y")
        let body = try post.makeRequest(from: ShopEnvironment.production).httpBody
        #expect(body == Data(#"{"q":"a b","tags":["x","y"]}"#.utf8))
    }

    @Test func `a body that replaces parameters does not get their content type`() async throws {
        let session = ScriptedSession([.status(204), .status(204)])
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        var endpoint = Endpoint<Void>(method: .post, path: "p", parameters: ["a": 1], body: .data(Data("x".utf8)))
        try await client.request(endpoint)
        endpoint.headers["Content-Type"] = "image/png"
        try await client.request(endpoint)
        #expect(session.recorded.map { $0.headers["Content-Type"] } == [nil, "image/png"])
        #expect(session.recorded.allSatisfy { $0.body == .data(Data("x".utf8)) })
    }

    struct Refusal: Error, Decodable, LocalizedError {
        let message: String
        var errorDescription: String? { message }
    }

    @Test func `client validators run before endpoint validators`() async throws {
        let session = ScriptedSession([.json(#"{"message":"Sold out."}"#, status: 409)])
        let validators: [ResponseValidator] = [.serverError(Refusal.self)]
        let client = APIClient(environment: ShopEnvironment.production, session: session, validators: validators)
        let error = await #expect(throws: ServiceError.self) { try await client.request(.customer("7")) }
        #expect(error?.serverError is Refusal)
        #expect(error?.localizedDescription == "Sold out.")
    }

    @Test func `excessive nesting is an encoding error`() throws {
        var value: [String: any Sendable] = ["a": 1]
        for _ in 0..<4_000 { value = ["a": value] }
        let endpoint = Endpoint<Void>(method: .post, path: "p", parameters: .json(value))
        let error = #expect(throws: ServiceError.self) { try endpoint.makeRequest(from: ShopEnvironment.production) }
        #expect(error?.code == .encoding)
    }

    @Test func `a value that cannot be encoded is named in the error`() throws {
        struct Odd: Sendable {}
        let endpoint = Endpoint<Void>(
            method: .post, path: "p", parameters: ["a": ["b": Odd()] as [String: any Sendable]])
        let error = #expect(throws: ServiceError.self) { try endpoint.makeRequest(from: ShopEnvironment.production) }
        #expect(error?.code == .encoding)
        #expect(error?.reason == "a.b can't be encoded")
    }
}
