import Errand
import ErrandTesting
import TestSupport
import Testing

/// With streamed delivery, both test doubles return the headers at once and the body as it arrives.
@Suite(.timeLimit(.minutes(1))) struct StreamedDoublesTests {
    enum Double: String, CaseIterable, Sendable {
        case scripted, stub

        func session(_ reply: CannedReply, time: ManualClock) -> any APISession {
            switch self {
            case .scripted: return ScriptedSession([reply])
            case .stub:
                let stub = StubSession(time: time)
                stub.on(.any, reply: reply)
                return stub
            }
        }
    }

    private static func request(_ configure: (inout RequestOptions) -> Void = { _ in }) throws -> APIRequest {
        var options = RequestOptions()
        options.delivery = .streamed
        configure(&options)
        let url = try #require(URL(string: "http://api.test/a"))
        return APIRequest(head: URLRequest(url: url), body: .none, options: options)
    }

    private static let parts = [Data("ab".utf8), Data("c".utf8), Data("de".utf8)]

    @Test(arguments: Double.allCases)
    func `chunks arrive one by one after their pauses`(double: Double) async throws {
        let clock = ManualClock()
        let session = double.session(.chunks(Self.parts, status: 203).pausing(.seconds(3)), time: clock)
        let response = try await session.send(Self.request { $0.time = clock })
        #expect(response.head.status == 203 && response.body.data == nil && clock.now == .zero)
        var chunks = response.body.makeAsyncIterator()
        #expect(try await chunks.next() == Self.parts[0])
        for (count, part) in Self.parts.dropFirst().enumerated() {
            async let next = clock.advance(by: .seconds(3), sleeping: 1)
            #expect(try await chunks.next() == part)
            try await next
            #expect(clock.now == .seconds(3 * (count + 1)))
        }
        #expect(try await chunks.next() == nil)
    }

    @Test(arguments: Double.allCases, [0, 2, 4])
    func `a truncated body fails while it is read`(double: Double, count: Int) async throws {
        let reply = CannedReply.chunks(Self.parts).truncatingBody(after: count)
        let session = double.session(reply, time: ManualClock())
        let response = try await session.send(Self.request())
        var received = Data()
        let error = await #expect(throws: ServiceError.self) {
            for try await chunk in response.body { received.append(chunk) }
        }
        #expect(error?.code == .connectionLost && received == Data("abcde".utf8).prefix(count))
    }

    @Test func `a scripted body ends by the idle timeout or the deadline`() async throws {
        let clock = ManualClock()
        let session = ScriptedSession { _ in .text("abcde").stallingBody(after: 2) }
        for isIdle in [true, false] {
            let request = try Self.request { options in
                options.time = clock
                if isIdle {
                    options.idleTimeout = .seconds(5)
                } else {
                    options.deadline = .after(.seconds(5), on: clock)
                }
            }
            let reading = Task { try await session.send(request).body.collect() }
            try await clock.advance(by: .seconds(5), sleeping: isIdle ? 1 : 2)
            let error = await #expect(throws: ServiceError.self) { try await reading.value }
            #expect(error?.code == .timeout)
        }
        let late = try await session.send(
            Self.request { ($0.time, $0.deadline) = (clock, .after(.seconds(5), on: clock)) })
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ServiceError.self) { try await late.body.collect() }
        #expect(error?.code == .timeout, "the deadline passed before the first chunk was read")
    }

    @Test(arguments: Double.allCases)
    func `cancelling the reader ends the body`(double: Double) async throws {
        let clock = ManualClock()
        let session = double.session(.chunks(Self.parts).pausing(.seconds(3)), time: clock)
        let response = try await session.send(Self.request { $0.time = clock })
        let reading = Task { try await response.body.collect() }
        try await clock.waitForSleepers()
        reading.cancel()
        let error = await #expect(throws: ServiceError.self) { try await reading.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a loader collects a streamed body up to the default limit`() async throws {
        struct Lines: APIHandler {
            func makeRequest(from url: URL) -> URLRequest { URLRequest(url: url) }
            func options(for url: URL) -> RequestOptions {
                var options = RequestOptions()
                options.delivery = .streamed
                return options
            }
            func parseResponse(data: Data, response: HTTPURLResponse) -> String {
                String(decoding: data, as: UTF8.self)
            }
        }
        let url = try #require(URL(string: "http://api.test/a"))
        let text = try await APILoader(Lines(), session: ScriptedSession([.chunks(Self.parts)])).load(url)
        #expect(text == "abcde")
        let large = CannedReply.chunks(Array(repeating: Data(count: 1 << 20), count: 65))
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(Lines(), session: ScriptedSession([large])).load(url)
        }
        #expect(error?.code == .bodyTooLarge)
    }
}
