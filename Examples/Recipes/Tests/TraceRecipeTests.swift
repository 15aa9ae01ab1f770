import Errand
import ErrandTesting
import Testing

@Suite struct TraceRecipeTests {
    @Test func `an outgoing request continues the trace of an incoming request`() async throws {
        let script = ScriptedSession([.json(#"[{"id":"a"}]"#)])
        let loader = APILoader(GalleryAPI(environment: .production), session: traced(script))
        let headers: HeaderFields = [
            "Traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "rojo=1",
            "Tracestate": "congo=2",
        ]
        let photos = try await photos(continuing: headers, with: loader)
        #expect(photos.map(\.id) == ["a"])
        let sent = try #require(script.recorded.first).headers
        #expect(sent["traceparent"]?.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") == true)
        #expect(sent["tracestate"] == "rojo=1,congo=2")
    }
}
