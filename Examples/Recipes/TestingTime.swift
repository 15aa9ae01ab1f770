import Errand
import ErrandTesting
import Testing

@Test func `a busy server is asked again, later each time`() async throws {
    let clock = InstantClock()  // each wait is over at once, and noted
    let session = ScriptedSession([.status(503), .status(503), .json("[]")], time: clock)
    let patient = session.intercepted(by: RetryLayer(time: clock, random: FixedRandom(fraction: 0.5)))
    let photos = try await APILoader(GalleryAPI(environment: .production), session: patient).load(GalleryQuery())
    #expect(photos.isEmpty && clock.waits == [.milliseconds(50), .milliseconds(100)])
}
