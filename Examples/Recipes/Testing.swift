import Errand
import ErrandTesting
import Testing

@Test func `a page of photos loads`() async throws {
    let session = ScriptedSession([.json(#"[{"id":"a"}]"#)])
    let loader = APILoader(GalleryAPI(environment: .production), session: session)
    let photos = try await loader.load(GalleryQuery(page: 2))
    #expect(photos.map(\.id) == ["a"])
    #expect(session.recorded.map(\.path) == ["/v1/photos"] && session.recorded.first?.method == .get)
    #expect(session.recorded.first?.queryItems == [URLQueryItem(name: "page", value: "2")])
    try session.verify()  // throws if a reply is unused
}

@Test func `a request without a response times out`() async throws {
    let clock = ManualClock()
    let session = ScriptedSession([.json("[]").delayed(by: .seconds(90))])
    let loader = APILoader(GalleryAPI(environment: .production), session: session, time: clock)
    let call = Task { try await loader.load(GalleryQuery()) }
    try await clock.advance(by: .seconds(60), sleeping: 1)  // the idle timeout, after one task sleeps
    let error = await #expect(throws: ServiceError.self) { try await call.value }
    #expect(error?.code == .timeout)
}

@Test func `the second page is requested`() async throws {
    let stub = StubSession()
    stub.on(.get, "/v1/photos", query: ["page": "2"], reply: .json(#"[{"id":"a"}]"#))
    let loader = APILoader(GalleryAPI(environment: .production), session: stub.urlSession)
    let photos = try await loader.load(GalleryQuery(page: 2))
    #expect(photos.map(\.id) == ["a"])
    try stub.verify()
}

struct Canned: APISession {
    func send(_ request: APIRequest) async throws -> APIResponse {
        try request.checkSendable()
        return try APIResponse(to: request, status: 200, body: #"[{"id":"a"}]"#)
    }
}

@Test func `a custom session passes the contract`() async throws {
    try await SessionContract { URLSession(configuration: .ephemeral) }.verify()  // with a real server on 127.0.0.1
    try await SessionContract { peer in ScriptedSession(answering: peer) }.verify()  // a test double
}

@Test func `an order is sent as JSON with a key`() async throws {
    let session = ScriptedSession([.json(#"{"id":"r1"}"#)])
    _ = try await APILoader(OrderAPI(environment: .production), session: session).load(Order(item: "tea", count: 2))
    let sent = try #require(session.recorded.first)
    #expect(sent.body.data == Data(#"{"count":2,"item":"tea"}"#.utf8))
    #expect(sent.headers["Content-Type"] == "application/json" && sent.headers["Idempotency-Key"] != nil)
}
