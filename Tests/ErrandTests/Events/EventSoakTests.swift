import Errand
import ErrandLoopback
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// A long event stream.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestEnvironment.runsHeavyTests, "ERRAND_HEAVY is not set"))
struct EventSoakTests {
    @Test func `memory does not grow over a million events`() async throws {
        let (rounds, size) = (1_000, 1_000)
        try await LoopbackServer.withServer { _ in
            .stream(type: "text/event-stream") { writer in
                for round in 0..<rounds {
                    let events = (0..<size).map { "id: \(round * size + $0)\ndata: {\"n\":\(round * size + $0)}\n\n" }
                    try await writer.write(events.joined())
                }
                try await writer.write("data: [DONE]\n\n")
            }
        } _: { server in
            let source = APILoader(EventAPI(url: server.url)).events(as: Note.self, until: "[DONE]")
            var (next, start, most) = (0, 0, 0)
            for try await note in source {
                #expect(note.n == next)
                next += 1
                if next == 100_000 { start = ResidentMemory.now }
                if next % 50_000 == 0 { most = max(most, ResidentMemory.now) }
            }
            #expect(next == rounds * size)
            // Other tests may run at the same time.
            #expect(most - start < (TestEnvironment.isAlone ? 4 << 20 : 200 << 20), "\(most - start) bytes")
        }
    }
}
