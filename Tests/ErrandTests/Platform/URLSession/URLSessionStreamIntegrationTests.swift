import Errand
import ErrandLoopback
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct URLSessionStreamIntegrationTests {
    /// A request with a streamed response body.
    private func streamed(
        _ server: LoopbackServer, _ path: String = "/", _ configure: (inout RequestOptions) -> Void = { _ in }
    ) -> APIRequest {
        request(server, path) { options in
            options.delivery = .streamed
            configure(&options)
        }
    }

    @Test func `chunks arrive before the body ends, and metrics after it`() async throws {
        let gate = Gate()
        try await withServer { _ in
            .stream { writer in
                try await writer.write("one")
                await gate.wait()
                try await writer.write("two")
            }
        } _: { server, session in
            let response = try await session.send(streamed(server))
            #expect(response.head.status == 200 && response.body.data == nil)
            #expect(response.metrics?.queued != nil && response.metrics?.firstByte != nil)
            #expect(response.metrics?.total == nil && response.body.metrics == nil)
            var chunks = response.body.makeAsyncIterator()
            let first = try await chunks.next()
            #expect(first == Data("one".utf8))
            gate.open()
            var rest = Data()
            while let chunk = try await chunks.next() { rest.append(chunk) }
            #expect(rest == Data("two".utf8))
            let metrics = try #require(response.body.metrics)
            #expect(metrics.bytesReceived == 6 && metrics.bytesSent == 0)
            #expect(try #require(metrics.total) >= #require(metrics.firstByte))
        }
    }

    struct Ending: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        var idle = Duration.seconds(30)
        var bytes = "0123"
        let code: ServiceError.Code
        var testDescription: String { name }
    }

    static let stalling = LoopbackReply.stream(contentLength: 10) { writer in
        try await writer.write("0123")
        await waitUntilCancelled()
    }

    static let endings: [Ending] = [
        Ending(name: "cut", reply: .text("0123456789").truncatingBody(after: 4), code: .connectionLost),
        Ending(name: "cut at once", reply: .text("0123").truncatingBody(after: 0), bytes: "", code: .connectionLost),
        Ending(
            name: "bad chunk", reply: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0123\r\nzz\r\n"),
            code: .badResponse),
        // At least 5 seconds, because tests that calculate occupy the threads on which the server responds.
        Ending(name: "silence", reply: stalling, idle: .seconds(5), code: .timeout),
    ]

    @Test(arguments: endings)
    func `the reader receives all bytes before the error`(row: Ending) async throws {
        try await withServer { _ in
            row.reply
        } _: { server, session in
            let response = try await session.send(
                streamed(server) { $0.idleTimeout = row.idle * TestEnvironment.patience })
            var received = Data()
            let error = await #expect(throws: ServiceError.self) {
                for try await chunk in response.body { received.append(chunk) }
            }
            #expect(error?.code == row.code && received == Data(row.bytes.utf8), "\(received.count) \(error as Any)")
            #expect(response.body.metrics == nil)
        }
    }

    enum Leaving: String, CaseIterable, Sendable { case unread, loop, cancelled, cancelledBefore }

    /// Only one connection is allowed, so a transfer that continues would block the next call.
    @Test(arguments: Leaving.allCases)
    func `an abandoned body ends the transfer and frees the connection`(how: Leaving) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession(configuration: configuration)
        try await LoopbackServer.withServer { request in
            request.path == "/" ? Self.stalling : .text("x")
        } _: { server in
            try await leave(how, try await session.send(streamed(server)))
            for await statistics in server.statisticsUpdates where statistics.openConnections == 0 { break }
            let next = try await session.send(request(server, "/next"))
            #expect(try await next.body.collect() == Data("x".utf8))
        }
    }

    private func leave(_ how: Leaving, _ response: APIResponse) async throws {
        switch how {
        case .unread: break
        case .loop: for try await _ in response.body { break }
        case .cancelled, .cancelledBefore:
            let (reads, read) = AsyncStream<Void>.makeStream()
            let reader = Task {
                if how == .cancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
                for try await _ in response.body { read.yield() }
            }
            if how == .cancelled { for await _ in reads.prefix(1) {} }
            reader.cancel()
            let error = await #expect(throws: ServiceError.self) { try await reader.value }
            #expect(error?.code == .cancelled)
        }
    }

    /// The reader pauses for longer than the idle timeout, and for longer than the platform's own timeout would be,
    /// which has whole seconds and two more.
    @Test func `a slow reader does not cause an idle timeout`() async throws {
        let gate = Gate()
        // At least 5 seconds, because tests that calculate occupy the threads on which the server responds.
        let idle = max(.seconds(5), Duration.milliseconds(1_500) * TestEnvironment.patience)
        let response = Data("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8)
        let late = LoopbackReply.raw([.pause(idle + .milliseconds(2_600)), .bytes(response)])
        try await withServer { request in
            if request.path != "/" { return late }
            return .stream { writer in
                try await writer.write("one")
                await gate.wait()
                try await writer.write("two")
            }
        } _: { server, session in
            let response = try await session.send(streamed(server) { $0.idleTimeout = idle })
            var chunks = response.body.makeAsyncIterator()
            #expect(try await chunks.next() == Data("one".utf8))
            _ = try await session.send(request(server, "/late"))
            gate.open()
            #expect(try await chunks.next() == Data("two".utf8))
            #expect(try await chunks.next() == nil)
        }
    }

    @Test(arguments: [true, false])
    func `a deadline applies until the last byte, also without a reader`(isRead: Bool) async throws {
        let (leavings, left) = AsyncStream<Void>.makeStream()
        let time = ManualClock()
        try await withServer { _ in
            .stream { writer in
                try await writer.write("0123")
                await waitUntilCancelled()
                left.yield()
            }
        } _: { server, session in
            let response = try await session.send(streamed(server) { $0.deadline = .after(.seconds(5), on: time) })
            var chunks = response.body.makeAsyncIterator()
            #expect(try await chunks.next() == Data("0123".utf8))
            time.advance(by: .seconds(5))
            if !isRead { for await _ in leavings.prefix(1) {} }
            let error = await #expect(throws: ServiceError.self) { try await chunks.next() }
            #expect(error?.code == .timeout && error?.reason == "the deadline of the call passed")
        }
    }

    /// On Linux the adapter cannot make the server wait. On other platforms the platform does, and this error must not
    /// occur.
    @Test(.enabled(if: Platform.name == "Linux"))
    func `unread bytes are limited`() async throws {
        let (endings, ended) = AsyncStream<Bool>.makeStream()
        try await withServer { _ in
            .stream { writer in
                do {
                    for _ in 0..<50_000 { try await writer.write(Data(count: 65_536)) }
                    ended.yield(false)
                } catch {
                    ended.yield(true)
                }
            }.slow(bytesPerStep: 65_536, interval: .milliseconds(1))
        } _: { server, session in
            let response = try await session.send(streamed(server) { $0[UnreadLimit.self] = 100_000 })
            let failed = await endings.first { _ in true }
            #expect(failed == true)
            let error = await #expect(throws: ServiceError.self) { try await response.body.collect() }
            #expect(error?.code == .bodyTooLarge && error?.reason.contains("cannot make the server wait") == true)
        }
    }

    @Test func `the limit of buffered bodies does not apply to streams`() async throws {
        let endless = LoopbackReply.stream(contentLength: 1 << 40) { writer in
            while true { try await writer.write(Data(repeating: 0, count: 1_000)) }
        }.slow(bytesPerStep: 65_536, interval: .milliseconds(1))
        try await withServer { _ in
            endless
        } _: { server, session in
            let response = try await session.send(streamed(server))
            var count = 0
            for try await chunk in response.body {
                count += chunk.count
                if count > 100_000 { break }
            }
            #expect(count > 100_000)
        }
    }

    @Test func `a large body arrives completely with a slow reader`() async throws {
        let parts = (0..<100).map { Data(repeating: UInt8($0), count: 70_000) }
        try await withServer { request in
            if request.path != "/" { return .text("x") }
            return .stream(contentLength: 7_000_000) { writer in
                for part in parts { try await writer.write(part) }
            }
        } _: { server, session in
            let response = try await session.send(streamed(server))
            var received = Data()
            for try await chunk in response.body {
                received.append(chunk)
                if Int.random(in: 0..<20) == 0 { _ = try await session.send(request(server, "/other")) }
            }
            #expect(received == Data(parts.joined()))
            #expect(response.body.metrics?.bytesReceived == 7_000_000)
        }
    }

    @Test func `redirects are followed and their bodies are discarded`() async throws {
        try await withServer { request in
            request.path == "/"
                ? .data(Data(count: 10_000), status: 302).header("Location", "/there") : .text("here")
        } _: { server, session in
            let response = try await session.send(streamed(server))
            #expect(response.head.url.path == "/there")
            #expect(try await response.body.collect() == Data("here".utf8))
            let manual = try await session.send(streamed(server) { $0.redirects = .manual })
            #expect(manual.head.status == 302)
            #expect(try await manual.body.collect() == Data(count: 10_000))
        }
    }

    @Test(arguments: [
        ("GET", LoopbackReply.status(204), ""), ("HEAD", .text("12345"), ""), ("GET", .text(""), ""),
        ("GET", .text("no", status: 401).header("WWW-Authenticate", #"Basic realm="x""#), "no"),
        ("GET", .status(302), ""),
    ])
    func `every response can be streamed`(method: String, reply: LoopbackReply, body: String) async throws {
        try await withServer { _ in
            reply
        } _: { server, session in
            let request = request(server, "/", method) { $0.delivery = .streamed }
            let received = try await session.send(request).body.collect()
            #expect(received == Data(body.utf8))
        }
    }

    @Test func `a stream outlives its session`() async throws {
        let gate = Gate()
        try await LoopbackServer.withServer { _ in
            .stream { writer in
                try await writer.write("one")
                await gate.wait()
                try await writer.write("two")
            }
        } _: { server in
            let response = try await URLSession(configuration: .ephemeral).send(streamed(server))
            // The lookup of another session removes the adapters of sessions that no longer exist.
            _ = try? await URLSession(configuration: .ephemeral).send(
                streamed(server) { $0.deadline = .after(.milliseconds(1)) })
            gate.open()
            #expect(try await response.body.collect() == Data("onetwo".utf8))
        }
    }

    @Test func `a reader that is cancelled at any time ends without leaks`() async throws {
        let session = URLSession(configuration: .ephemeral)
        try await LoopbackServer.withServer { _ in
            .chunks((0..<20).map { Data("line \($0)\n".utf8) })
        } _: { server in
            let request = streamed(server)
            let outcome = await Soak.run(TestEnvironment.rounds(100, heavy: 3_000, patient: 50), seed: 7) {
                var count = 0
                for try await _ in try await session.send(request).body.lines { count += 1 }
                if count != 20 { throw ServiceError(.badResponse, "\(count) lines") }
            }
            #expect(outcome.others.isEmpty && outcome.finished > 0 && outcome.cancelled > 0, "\(outcome)")
            let after = try await session.send(request)
            #expect(try await after.body.collect().count == 150)
        }
    }
}
