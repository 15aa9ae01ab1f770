import Errand
import ErrandTesting
import Testing

@Test func `a busy server is retried with growing waits`() async throws {
    let clock = InstantClock()  // ends each wait at once and records it
    let session = ScriptedSession([.status(503), .status(503), .json("[]")])
    let loader = APILoader(
        GalleryAPI(environment: .production), session: .standard(over: session), time: clock,
        random: FixedRandom(fraction: 0.5))
    let photos = try await loader.load(GalleryQuery())
    #expect(photos.isEmpty && clock.waits == [.milliseconds(50), .milliseconds(100)])
}

@Test func `a retry waits for the time in Retry-After`() async throws {
    let clock = InstantClock()
    let server = ScriptedSession([.status(503).header("Retry-After", "3"), .json("[]")])
    let loader = APILoader(GalleryAPI(environment: .production), session: patientSession(over: server), time: clock)
    let loaded = try await loader.response(GalleryQuery())
    #expect(clock.waits == [.seconds(3)])
    #expect(loaded.trail.attempts.first?.note == "attempt 1; retry in 3000.0 ms: status 503")
}

@Test func `an order with a deadline is retried`() async throws {
    let clock = ManualClock()  // an InstantClock would also end the deadline at once
    let server = ScriptedSession([.status(503).header("Retry-After", "3"), .json(#"{"id":"r1"}"#)])
    let api = OrderAPI(environment: .production)
    let loader = APILoader(api, session: .standard(over: server), time: clock)
    let call = Task { try await loader.load(Order(item: "tea", count: 2)) }
    try await clock.advance(to: .seconds(3))  // as soon as the call waits for this instant
    #expect(try await call.value.id == "r1")
}
