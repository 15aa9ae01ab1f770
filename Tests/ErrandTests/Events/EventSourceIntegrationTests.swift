import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Event sources over the real sessions.
@Suite(.timeLimit(.minutes(3))) struct EventSourceIntegrationTests {
    static let sessions: [(name: String, session: any APISession)] = DownloadIntegrationTests.sessions

    private func loader(
        _ url: URL, _ session: any APISession, _ time: some TimeSource = InstantClock(),
        change: (inout EventAPI) -> Void = { _ in }
    ) -> APILoader<EventAPI> {
        func open(_ session: some APISession) -> APILoader<EventAPI> {
            var api = EventAPI(url: url.appending(path: "stream"))
            change(&api)
            return APILoader(api, session: session, time: time, random: FixedRandom(fraction: 0))
        }
        return open(session)
    }

    /// The HTTP behaviors of the web platform tests.
    @Test(.enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"), arguments: sessions.indices)
    func `all 16 HTTP behaviors are those of the web platform tests`(session: Int) async throws {
        let rows = try EventVectorTests.Vectors.load().http
        #expect(rows.count == 16)
        for row in rows {
            let count = Locked(0)
            try await LoopbackServer.withServer { request in
                let index = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                return Self.reply(to: row, request, index)
            } _: { server in
                let source = loader(server.url, Self.sessions[session].session).events()
                let isRefused = row.expected.hasPrefix("fail")
                let outcome = await Self.outcome(of: source)
                if isRefused {
                    #expect(outcome.data == [] && count.withLock { $0 } == 1, "\(row.name)")
                    #expect(
                        (outcome.error == nil) == (row.status == 204), "\(row.name): \(String(describing: outcome))")
                } else {
                    let expected = row.name.hasSuffix("(ok first)") ? ["ok", "data"] : ["data"]
                    #expect(outcome.data == expected && outcome.error == nil, "\(row.name): \(outcome)")
                }
            }
        }
    }

    private static func outcome(
        of source: EventSource<ServerSentEvent>
    ) async -> (data: [String], error: ServiceError?) {
        var data: [String] = []
        do throws(ServiceError) {
            for try await event in source {
                data.append(event.data)
                if event.data == "data" { return (data, nil) }
            }
            return (data, nil)
        } catch {
            return (data, error)
        }
    }

    private static func reply(
        to row: EventVectorTests.Response, _ request: LoopbackRequest, _ index: Int
    ) -> LoopbackReply {
        let event = Data("data: data\n\n".utf8)
        if row.name.hasPrefix("request-redirect") {
            let status = Int(row.name.suffix(3)) ?? 301
            return request.path == "/moved"
                ? .data(event, type: "text/event-stream") : .status(status).header("Location", "/moved")
        } else if row.name.hasPrefix("eventsource-reconnect"), index == 0 {
            let first = row.name.hasSuffix("(ok first)") ? "data: ok\n\n" : ""
            return .data(Data("retry: 2\n\(first)".utf8), type: "text/event-stream")
        }
        return .data(event, type: row.content_type ?? "text/event-stream", status: row.status ?? 200)
    }

    /// A server with numbered events. It drops each connection at a random byte, and its tokens expire.
    private final class Server: Sendable {
        private struct State {
            var random: SplitMix
            var drops: Int
            var token = 1
            var expiries = 0
            var connections = 0
        }

        let count: Int
        private let state: Locked<State>

        init(count: Int, drops: Int, seed: UInt64) {
            self.count = count
            state = Locked(State(random: SplitMix(state: seed), drops: drops))
        }

        var expiries: Int { state.withLock { $0.expiries } }
        var drops: Int { state.withLock { $0.drops } }

        /// The refreshes of the client.
        func refresh() -> Int {
            state.withLock { state in
                state.token += 1
                return state.token
            }
        }

        static func event(_ id: Int) -> String {
            "id: \(id)\ndata: {\"n\":\(id)}\ndata:  \n: \(String(repeating: "€", count: id % 40))\n\n"
        }

        func reply(_ request: LoopbackRequest) -> LoopbackReply {
            let next = (request["Last-Event-ID"].flatMap { Int($0) } ?? 0) + 1
            return state.withLock { state in
                state.connections += 1
                // Each tenth connection finds that the token has expired.
                let isExpired = state.connections % 10 == 5
                if isExpired { state.expiries += 1 }
                guard request["Authorization"] == "Bearer \(state.token)", !isExpired else { return .status(401) }
                guard next <= count else { return .status(204) }
                let text = (next...min(count, next + 3)).map(Self.event).joined()
                let reply = LoopbackReply.data(Data(text.utf8), type: "text/event-stream")
                guard state.drops > 0 else { return reply }
                state.drops -= 1
                let ending: LoopbackReply.Ending = state.random.next() % 2 == 0 ? .close : .reset
                let length = Int(state.random.next() % UInt64(text.utf8.count + 1))
                return state.random.next() % 8 == 0
                    ? .closeWithoutReply : reply.truncatingBody(after: length, then: ending)
            }
        }
    }

    /// Refreshes the token after each refusal.
    private struct Refreshing: Authorizer {
        let server: Server
        let token: RefreshingToken

        var identity: Credentials.Identity? { Credentials.Identity("reader") }
        func credentials(for request: APIRequest) -> Credentials { token.credentials }

        func react(
            to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials
        ) async throws -> AuthorizationInterceptor.Decision {
            token.set(server.refresh())
            return .replay(token.credentials)
        }
    }

    private final class RefreshingToken: Sendable {
        private let value = Locked(1)

        var credentials: Credentials {
            let value = value.withLock { $0 }
            return .bearer(Secret("\(value)"), generation: UInt64(value))
        }
        var refreshes: Int { value.withLock { $0 } - 1 }

        func set(_ token: Int) { value.withLock { $0 = token } }
    }

    @Test(arguments: sessions.indices)
    func `each event is delivered once when connections are dropped at random`(index: Int) async throws {
        let drops = TestEnvironment.rounds(50, heavy: 1_000, patient: 30)
        let server = Server(count: drops * 2, drops: drops, seed: UInt64(index) + 7)
        try await LoopbackServer.withServer {
            server.reply($0)
        } _: { loopback in
            let token = RefreshingToken()
            let authorizer = Refreshing(server: server, token: token)
            func authorized(_ session: some APISession) -> any APISession {
                session.intercepted(by: AuthorizationInterceptor(authorizer, at: loopback.url))
            }
            let session = authorized(Self.sessions[index].session)
            var numbers: [Int] = []
            for try await note in loader(loopback.url, session).events(as: Note.self) { numbers.append(note.n) }
            #expect(numbers == Array(1...server.count), "\(Self.sessions[index].name)")
            #expect(server.drops == 0 && server.expiries > 2 && token.refreshes == server.expiries)
        }
    }

    @Test(arguments: sessions.indices)
    func `an event arrives before the stream ends, and cancellation closes the connection`(index: Int) async throws {
        let disconnected = Gate()
        try await LoopbackServer.withServer { _ in
            .stream(type: "text/event-stream") { writer in
                try await writer.write("data: a\n\n")
                await waitUntilCancelled()
                disconnected.open()
            }
        } _: { server in
            let source = loader(server.url, Self.sessions[index].session, SystemTime()).events()
            let received = Gate()
            let task = Task { for try await _ in source { received.open() } }
            await received.wait()
            task.cancel()
            let error = await #expect(throws: ServiceError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await disconnected.wait()
        }
    }

    @Test(arguments: sessions.indices)
    func `the idle timeout reconnects, and comments satisfy it`(index: Int) async throws {
        let count = Locked(0)
        try await LoopbackServer.withServer { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return .data(Data("data: b\n\n".utf8), type: "text/event-stream") }
            let beat: [LoopbackReply.RawStep] = [.bytes(Data(":\n".utf8)), .pause(.milliseconds(500))]
            let comments = Array(repeating: beat, count: 5).joined()
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
            let steps: [LoopbackReply.RawStep] =
                [.bytes(Data(head.utf8))] + comments
                + [.bytes(Data("data: a\n\n".utf8)), .pause(.seconds(60)), .bytes(Data("data: x\n\n".utf8))]
            return .raw(steps)
        } _: { server in
            var options = EventOptions()
            options.idleTimeout = .seconds(2)
            options.backoff.base = .zero
            let source = loader(server.url, Self.sessions[index].session, SystemTime()).events(options: options)
            var iterator = source.makeAsyncIterator()
            let events = [try await iterator.next()?.data, try await iterator.next()?.data]
            #expect(events == ["a", "b"])
            #expect(source.trail.events.first { $0.source == .events }?.message.contains("timeout") == true)
        }
    }
}
