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
