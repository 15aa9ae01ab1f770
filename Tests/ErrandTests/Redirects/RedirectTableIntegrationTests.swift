import Errand
import ErrandLoopback
import Testing

/// Each row is sent through a `URLSession` to real servers, which record the requests that they receive.
@Suite(.timeLimit(.minutes(1))) struct RedirectTableIntegrationTests {
    @Test(arguments: RedirectRow.references + RedirectRow.fragments)
    func `a reference is resolved against the request URL`(row: RedirectRow) async throws {
        try await RedirectScene.run { try await row.run(in: $0) }
    }

    @Test(arguments: RedirectRow.secrets + RedirectRow.descriptions)
    func `the next server receives only permitted headers`(row: RedirectRow) async throws {
        try await RedirectScene.run { try await row.run(in: $0) }
    }

    @Test(arguments: RedirectRow.refusals + RedirectRow.cycles + RedirectRow.counts)
    func `invalid and excessive redirects are not followed`(row: RedirectRow) async throws {
        try await RedirectScene.run { try await row.run(in: $0) }
    }

    @Test(arguments: RedirectRow.modes)
    func `the policy of the call determines how redirects are handled`(row: RedirectRow) async throws {
        try await RedirectScene.run { try await row.run(in: $0) }
    }

    struct Methods: Sendable, CustomTestStringConvertible {
        let status: Int
        let becomes: [String: String]
        var testDescription: String { "\(status)" }
    }

    static let kept = [
        "GET": "GET", "HEAD": "HEAD", "POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE",
        "OPTIONS": "OPTIONS", "QUERY": "QUERY",
    ]

    @Test(arguments: [
        Methods(status: 301, becomes: kept.merging(["POST": "GET"]) { $1 }),
        Methods(status: 302, becomes: kept.merging(["POST": "GET"]) { $1 }),
        Methods(status: 303, becomes: kept.mapValues { $0 == "HEAD" ? "HEAD" : "GET" }),
        Methods(status: 307, becomes: kept), Methods(status: 308, becomes: kept),
    ])
    func `the status determines method and body for every target`(row: Methods) async throws {
        try await RedirectScene.run { scene in
            for (method, then) in row.becomes {
                for body in method == "GET" || method == "HEAD" ? [""] : ["", "bödy"] {
                    for (location, server, end) in [("/x", "A", "{A}"), ("{B}/x", "B", "{B}"), ("{L}/x", "A", "{L}")] {
                        let carried = then == method && !body.isEmpty ? " \(body)" : ""
                        let row = RedirectRow(
                            name: method, method: method, body: body,
                            script: [.init("A \(method) /start", row.status, location)],
                            received: [
                                "A \(method) /start\(body.isEmpty ? "" : " \(body)")", "\(server) \(then) /x\(carried)",
                            ],
                            end: "200 \(end)/x\(then == "HEAD" ? " ‹empty›" : "")")
                        try await row.run(in: scene)
                    }
                }
            }
        }
    }

    @Test(arguments: [(2_000, true), (65_536, true), (65_537, false)])
    func `the body of a redirect is dropped and limited in size`(size: Int, isFollowed: Bool) async throws {
        try await RedirectScene.run { scene in
            scene.play([.init("A GET /start", 302, "/x", body: String(repeating: "x", count: size))])
            let url = try #require(URL(string: scene.filled("{A}/start")))
            var request = APIRequest(head: URLRequest(url: url), body: .none)
            request.options.delivery = .buffered(upTo: 1_000)
            let session = URLSession(configuration: .ephemeral)
            if isFollowed {
                let response = try await session.send(request)
                #expect(response.head.url.path() == "/x" && scene.received.count == 2)
            } else {
                let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                #expect(error?.code == .bodyTooLarge && scene.received.count == 1)
            }
        }
    }

    /// `URLSession` combines duplicate headers, so a comma and a space can separate two of them.
    @Test(arguments: [(["/x", "/x"], true), (["/x", "/y"], false), (["/x, /x"], true), (["/a, b"], false)])
    func `a session that combines duplicates rejects two Location headers`(locations: [String], isFollowed: Bool)
        async throws
    {
        try await LoopbackServer.withServer { request in
            request.target == "/start"
                ? locations.reduce(LoopbackReply.status(302)) { $0.header("Location", $1) } : .text(request.target)
        } _: { server in
            let request = APIRequest(head: URLRequest(url: server.url.appending(path: "start")), body: .none)
            let session = URLSession(configuration: .ephemeral)
            if isFollowed {
                let response = try await session.send(request)
                let body = try await response.body.collect()
                #expect(body == Data("/x".utf8))
            } else {
                let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                #expect(error?.code == .redirect && error?.reason == "expected one Location header, found several")
            }
        }
    }

    @Test func `an interceptor around a session that follows redirects has no effect`() async throws {
        let rows = RedirectRow.cycles + RedirectRow.counts + RedirectRow.modes
        try await RedirectScene.run { scene in
            for row in rows { try await row.run(in: scene, isLayered: true) }
        }
    }
}
