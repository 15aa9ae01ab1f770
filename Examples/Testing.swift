import Errand
import ErrandTesting
import Testing

@Test func `a page of photos loads`() async throws {
    let session = ScriptedSession([.json(#"[{"id":"a"}]"#)])
    let loader = APILoader(GalleryAPI(environment: .production), session: session)
    let photos = try await loader.load(GalleryQuery(page: 2))
    #expect(photos.map(\.id) == ["a"])
    #expect(session.recorded.map(\.path) == ["/v1/photos"])
}

@Test func `a call that waits too long ends`() async throws {
    let clock = ManualClock()
    let session = ScriptedSession([.json("[]").delayed(by: .seconds(90))], time: clock)
    let loader = APILoader(GalleryAPI(environment: .production), session: session)
    let call = Task { try await loader.load(GalleryQuery()) }
    try await clock.advance(by: .seconds(60), sleeping: 1)  // once somebody sleeps on it, not before
    let error = await #expect(throws: ServiceError.self) { try await call.value }
    #expect(error?.code == .timeout)
}

@Test func `the second page is asked for`() async throws {
    let stub = StubSession()
    stub.on(.get, "/v1/photos", query: ["page": "2"], reply: .json(#"[{"id":"a"}]"#))
    let loader = APILoader(GalleryAPI(environment: .production), session: stub.urlSession)
    let photos = try await loader.load(GalleryQuery(page: 2))
    #expect(photos.map(\.id) == ["a"])
    try stub.verify()
}
