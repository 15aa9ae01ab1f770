import Errand
import ErrandLoopback
import ErrandSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct URLSessionAdapterIntegrationTests {
    private let clock = ContinuousClock()

    @Test func `a request and its response arrive completely`() async throws {
        try await withServer { request in
            .data(request.body, type: "text/x", status: 299).header("X-Method", request.method)
                .header("X-Type", request["Content-Type"] ?? "none").header("X-Agent", request["User-Agent"] ?? "none")
        } _: { server, session in
            var request = request(server, "/echo", "PATCH", body: "héllo")
            request.head.setValue("me/1", forHTTPHeaderField: "User-Agent")
            let response = try await session.send(request)
            #expect(response.head.status == 299)
            #expect(response.head.headers["x-method"] == "PATCH")
            #expect(response.head.headers["x-type"] == "application/octet-stream")
            #expect(response.head.headers["x-agent"] == "me/1")
            #expect(response.head.url == request.head.url)
            #expect(try await response.body.collect() == Data("héllo".utf8))
        }
    }

    @Test(arguments: ["shop.test", "shop.test:81", "[::1]:8080"])
    func `a valid Host header is sent once`(host: String) async throws {
        try await withServer { request in
            .text(request.all("Host").joined(separator: "|"))
        } _: { server, session in
            for (method, body) in [("GET", nil), ("POST", "x")] {
                var request = request(server, "/", method, body: body)
                request.head.setValue(host, forHTTPHeaderField: "host")
                let response = try await session.send(request)
                #expect(response.body.data == Data(host.utf8))
            }
        }
    }

    @Test func `one connection serves sequential requests`() async throws {
        try await withServer { _ in
            .text("x")
        } _: { server, session in
            for _ in 0..<5 { _ = try await session.send(request(server)) }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `no more than the configured connections are opened`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 3
        let session = URLSession(configuration: configuration)
        try await LoopbackServer.withServer { _ in
            .text("x")
        } _: { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { _ = try await session.send(request(server)) } }
                try await group.waitForAll()
            }
            #expect(server.connectionCount <= 3)
        }
    }

    @Test func `a refused connection is a connection error`() async throws {
        // No server listens on port 1. Another process could already use a port that was released just now.
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let request = APIRequest(head: URLRequest(url: url), body: .none)
        let error = await #expect(throws: ServiceError.self) { try await PlatformSession.platform.send(request) }
        #expect(error?.code == .connection)
    }

    /// The best of five rounds counts, because other rounds may be slow when the machine is busy.
    @Test(arguments: [true, false])
    func `timeouts shorter than a second are precise`(isIdle: Bool) async throws {
        try await withServer { _ in
            .stall
        } _: { server, session in
            var best = Duration.seconds(60)
            for _ in 1...5 {
                let request = request(server) { options in
                    if isIdle {
                        options.idleTimeout = .milliseconds(80)
                    } else {
                        options.deadline = .after(.milliseconds(80))
                    }
                }
                var error: ServiceError?
                let elapsed = await clock.measure {
                    error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                }
                #expect(error?.code == .timeout)
                #expect(elapsed >= .milliseconds(75))
                best = min(best, elapsed)
            }
            #expect(best < .milliseconds(900) * TestEnvironment.patience)
        }
    }

    /// The idle timeout is long, because tests that calculate occupy the threads on which the server responds.
    @Test func `a slow body ends by its deadline, not its idle timeout`() async throws {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8)
        let drip = (0..<1_000).flatMap { _ in
            [LoopbackReply.RawStep.bytes(Data([0x78])), .pause(.milliseconds(50))]
        }
        let slow = LoopbackReply.raw([.bytes(head)] + drip)
        try await withServer { _ in
            slow
        } _: { server, session in
            let request = request(server) { options in
                options.idleTimeout = .seconds(5)
                options.deadline = .after(.seconds(6))
            }
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.reason == "the deadline of the call passed")
        }
    }

    @Test func `a request with a passed deadline is not sent`() async throws {
        try await withServer { _ in
            .text("x")
        } _: { server, session in
            let request = request(server) { $0.deadline = .after(.seconds(-1)) }
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.code == .timeout)
            #expect(server.connectionCount == 0)
        }
    }

    /// The best of five rounds counts, because other rounds may be slow when the machine is busy.
    @Test func `cancellation ends a call within 50 ms, also in the queue`() async throws {
        let arrived = Locked<Set<String>>([])
        try await withServer { request in
            arrived.withLock { _ = $0.insert(request.path) }
            return .stall
        } _: { server, session in
            var best = Duration.seconds(1)
            for round in 1...5 {
                let tasks = (0..<20).map { number in
                    let request = request(server, "/\(round)/\(number)")
                    return (path: request.path, call: Task { try await session.send(request) })
                }
                try await Soak.wait { arrived.withLock { $0.count } >= 6 * round }
                let sent = arrived.withLock { $0 }
                let elapsed = await clock.measure {
                    // Waiting calls are cancelled first. If a running call ended before them, a waiting one would take
                    // its connection.
                    for task in tasks where !sent.contains(task.path) { task.call.cancel() }
                    for task in tasks { task.call.cancel() }
                    for task in tasks { await #expect(throws: CancellationError.self) { try await task.call.value } }
                }
                best = min(best, elapsed - (await timeToEndIdly()))
                #expect(server.statistics.requests == 6 * round)
            }
            #expect(best < .milliseconds(50) * TestEnvironment.patience)
        }
    }

    /// On Linux all URL sessions share one queue, and the creation of a task waits for it. A response that blocks the
    /// queue must not delay calls of the adapter.
    @Test func `a call ends in time while another blocks the platform's queue`() async throws {
        // The queue is blocked for at most one second, because other tests create tasks on threads of the pool, and all
        // threads may wait for the queue. A round in which that happens proves nothing, so there are several rounds.
        for _ in 1...5 {
            let (entries, entered) = AsyncStream<Void>.makeStream()
            let release = DispatchSemaphore(value: 0)
            let wasHeld = Locked(false)
            let busy = TutorialMock.session(host: "busy.test") { _ in
                entered.yield()
                let result = release.wait(timeout: .now() + 1)
                wasHeld.withLock { $0 = result == .success }
                throw URLError(.cannotFindHost)
            }
            try await withServer { _ in
                .text("x")
            } _: { server, session in
                let blocker = Task { try await APILoader(GreetingAPI(host: "busy.test"), session: busy).load("x") }
                for await _ in entries.prefix(1) {}
                let late = request(server) { $0.deadline = .after(.milliseconds(60)) }
                let error = await #expect(throws: ServiceError.self) { try await session.send(late) }
                #expect(error?.code == .timeout)
                let waiting = (0..<4).map { _ in Task { try await session.send(request(server)) } }
                for task in waiting { task.cancel() }
                for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
                release.signal()
                await #expect(throws: ServiceError.self) { try await blocker.value }
            }
            if wasHeld.withLock({ $0 }) { return }
        }
        Issue.record("expected calls to end while the queue is blocked, found none in five rounds")
    }

    @Test func `a session's own headers are checked and no compression is requested`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "demo"]
        let session = URLSession(configuration: configuration)
        try await withServer { request in
            .text("\(request["X-App"] ?? "") \(request["Accept-Encoding"] ?? "")")
        } _: { server, _ in
            let response = try await session.send(request(server))
            #expect(try await response.body.collect() == Data("demo identity".utf8))
            configuration.httpAdditionalHeaders = ["X-App": "1\r\nX-Injected: yes"]
            let bad = URLSession(configuration: configuration)
            let error = await #expect(throws: ServiceError.self) { try await bad.send(request(server)) }
            #expect(error?.code == .encoding)
        }
    }

    @Test func `the configuration's timeout applies if the request has none`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 0.08
        let session = URLSession(configuration: configuration)
        try await withServer { _ in
            .stall
        } _: { server, _ in
            let error = await #expect(throws: ServiceError.self) { try await session.send(request(server)) }
            #expect(error?.code == .timeout)
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero])
    func `no idle timeout traps`(idle: Duration) async throws {
        try await withServer { _ in
            .text("x")
        } _: { server, session in
            let request = request(server) { $0.idleTimeout = idle }
            _ = try? await session.send(request)
        }
    }

    @Test(arguments: ["ssl.invalid", "tls-header-gw.invalid"])
    func `the host name does not affect the error code`(host: String) async throws {
        let request = APIRequest(head: URLRequest(url: try #require(URL(string: "http://\(host)/"))), body: .none)
        let error = await #expect(throws: ServiceError.self) { try await PlatformSession.platform.send(request) }
        #expect(error?.code == .connection)
    }

    @Test func `a scheme is case-insensitive and a cache-only request fails`() async throws {
        try await withServer { _ in
            .text("x")
        } _: { server, session in
            let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/"))
            let response = try await session.send(APIRequest(head: URLRequest(url: url), body: .none))
            #expect(response.head.status == 200)
            let cacheOnly = request(server) { $0.cachePolicy = .returnCacheDataDontLoad }
            let error = await #expect(throws: ServiceError.self) { try await session.send(cacheOnly) }
            #expect(error?.code == .configuration && server.statistics.requests == 1)
        }
    }

    @Test func `a body with a too large Content-Length is refused early`() async throws {
        let endless = LoopbackReply.stream(contentLength: 1 << 40) { writer in
            while true { try await writer.write(Data(repeating: 0, count: 1_000)) }
        }
        try await withServer { _ in
            endless
        } _: { server, session in
            let error = await #expect(throws: ServiceError.self) { try await session.send(request(server)) }
            #expect(error?.code == .bodyTooLarge)
            let head = try await session.send(request(server, "/", "HEAD"))
            #expect(head.head.headers["Content-Length"] == "\(1 << 40)")
        }
    }

    @Test func `an injected session with a default cache survives early cancellation`() async throws {
        let session = URLSession(configuration: .default)
        try await LoopbackServer.withServer { _ in
            .text("x")
        } _: { server in
            let request = request(server)
            let count = TestEnvironment.rounds(100, heavy: 300, patient: 50)
            let outcome = await Soak.run(count, seed: 1) { _ = try await session.send(request) }
            #expect(outcome.finished + outcome.cancelled == count && outcome.others.isEmpty)
        }
    }

    @Test(.enabled(if: TestEnvironment.runsHeavyTests))
    func `5,000 requests end if a random third is cancelled`() async throws {
        try await LoopbackServer.withServer { _ in
            .json(#"{"text":"x"}"#)
        } _: { server in
            let api = GreetingAPI(host: "127.0.0.1:\(server.port)")
            let loader = APILoader(api, session: URLSession(configuration: .ephemeral))
            let seed = UInt64.random(in: .min ... .max)
            let outcome = await Soak.run(5_000, seed: seed) { _ = try await loader.load("eva") }
            #expect(outcome.finished + outcome.cancelled == 5_000 && outcome.others.isEmpty, "seed \(seed)")
            // The numbers depend on the machine.
            #expect(outcome.finished > 0 && outcome.cancelled > 0, "seed \(seed)")
            let after = try await loader.load("eva")
            #expect(after == Greeting(text: "x"))
        }
    }
}
