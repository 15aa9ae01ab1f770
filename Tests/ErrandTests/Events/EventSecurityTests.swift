import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventSecurityTests {
    @Test func `credentials and the last event ID stay within their origin`() async throws {
        let script = ScriptedSession(answering: { request in
            guard request.url?.host() == "events.example" else { return .events("id: 2\ndata: a\n\n") }
            return .status(307).header("Location", "https://other.example/stream")
        })
        let session = script.intercepted(by: RedirectInterceptor())
        let api = EventAPI(headers: ["Authorization": "Bearer t"])
        var options = EventOptions()
        options.lastEventID = "1"
        var iterator = APILoader(api, session: session, time: InstantClock()).events(options: options)
            .makeAsyncIterator()
        for _ in 1...2 { _ = try await iterator.next() }
        let hosts = script.recorded.map { $0.url?.host() ?? "" }
        #expect(hosts == ["events.example", "other.example", "events.example", "other.example"])
        #expect(script.recorded.map { $0.headers["Last-Event-ID"] } == ["1", nil, "2", nil])
        #expect(script.recorded.map { $0.headers["Authorization"] } == ["Bearer t", nil, "Bearer t", nil])
        #expect(script.recorded.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
    }

    @Test(arguments: ["id: SECRET\ndata: x\n\n", "event: SECRET\ndata: x\n\n", "data: {\"n\": \"SECRET\"}\n\n"])
    func `a secret that the server repeats is not printed`(stream: String) async throws {
        let text = stream.replacing("SECRET", with: SecretScan.secret)
        let api = EventAPI(headers: ["Authorization": "Bearer \(SecretScan.secret)"])
        let source = APILoader(api, session: ScriptedSession([.events(text)])).events(as: Note.self)
        let error = await #expect(throws: ServiceError.self) { try await source.all() }
        let failure = try #require(error)
        #expect(failure.code == .decoding)
        #expect(SecretScan.leaks(in: SecretScan.texts(failure) + [failure.reason, "\(source.trail)"]) == [])
    }

    @Test func `an expired token is refreshed for a new connection`() async throws {
        let tokens = Locked(["first", "second", "third"])
        let authorizer = NextToken { tokens.withLock { $0.removeFirst() } }
        let script = ScriptedSession([.events("data: a\n\n"), .events("data: b\n\n"), .status(204)])
        let base = try ErrorScene.url("https://events.example")
        let session = script.intercepted(by: AuthorizationInterceptor(authorizer, at: base))
        let events = try await APILoader(EventAPI(), session: session, time: InstantClock()).events().all()
        #expect(events.map(\.data) == ["a", "b"])
        #expect(
            script.recorded.map { $0.headers["Authorization"] } == ["first", "second", "third"].map { "Bearer \($0)" })
    }

    private struct NextToken: Authorizer {
        let next: @Sendable () -> String
        var identity: Credentials.Identity? { Credentials.Identity("reader") }
        func credentials(for request: APIRequest) -> Credentials { .bearer(Secret(next()), generation: 1) }
    }
}
