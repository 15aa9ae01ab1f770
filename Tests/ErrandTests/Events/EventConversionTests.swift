import Errand
import ErrandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventConversionTests {
    private struct Failure: Error {}

    private func source(
        _ replies: [CannedReply], options: EventOptions = EventOptions(), includingEmpty: Bool = false
    ) -> EventSource<String> {
        APILoader(EventAPI(), session: ScriptedSession(replies), time: InstantClock(), random: FixedRandom(fraction: 0))
            .events(options: options)
            .converting(includingEmpty: includingEmpty) { event, head in
                switch event.type {
                case "end": return .end
                case "other": return .skip
                case "bad": throw ServiceError(.decoding, "bad data")
                case "refusal": throw ServiceError(.validation, "refused")
                case "failure": throw Failure()
                default: return .value("\(event.data) \(head.status)")
                }
            }
    }

    @Test func `values are converted across connections until the last event`() async throws {
        let source = source([
            .events(":x\ndata: a\n\nevent: other\ndata: x\n\n"),
            .events("data: b\n\nevent: end\ndata: x\n\ndata: c\n\n"),
        ])
        #expect(try await source.all() == ["a 200", "b 200"])
    }

    @Test(arguments: [false, true])
    func `an event without data is converted only on request`(includesEmpty: Bool) async throws {
        let reply = CannedReply.events("event: note\n\ndata: a\n\nid: 1\n\nevent: end\n\ndata: b\n\n")
        let source = source([reply, .status(204)], includingEmpty: includesEmpty)
        #expect(try await source.all() == (includesEmpty ? [" 200", "a 200"] : ["a 200", "b 200"]))
    }

    @Test func `an error of the function ends the source with the data and the status`() async throws {
        let error = await #expect(throws: ServiceError.self) {
            try await source([.events("event: failure\ndata: x\n\n")]).all()
        }
        #expect(error?.code == .decoding && error?.underlying is Failure)
        #expect(error?.body == Data("x".utf8) && error?.status == 200 && error?.request?.method == "GET")
    }

    @Test func `only events that cannot be decoded are skipped`() async throws {
        var options = EventOptions()
        options.skipsUndecodable = true
        let source = source([.events("event: bad\ndata: x\n\ndata: a\n\nevent: end\ndata: x\n\n")], options: options)
        #expect(try await source.all() == ["a 200"])
        #expect(source.skippedCount == 1)
        let refused = self.source([.events("event: refusal\ndata: x\n\n")], options: options)
        let error = await #expect(throws: ServiceError.self) { try await refused.all() }
        #expect(error?.code == .validation && refused.skippedCount == 0)
    }

    @Test func `a stream without its last event is an error if it is not requested again`() async throws {
        var options = EventOptions()
        options.reconnects = false
        let error = await #expect(throws: ServiceError.self) {
            try await source([.events("data: a\n\n")], options: options).all()
        }
        #expect(error?.code == .connectionLost)
    }
}
