#if os(Linux)
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(1))) struct CurlTimeIntegrationTests {
        /// Returns the best time of several rounds, minus the delay of a plain wait in the same round. Other rounds may
        /// be slow when the machine is busy.
        private func fastest(_ rounds: Int = 5, _ body: () async throws -> Void) async throws -> Duration {
            var best = Duration.seconds(60)
            for _ in 0..<rounds {
                async let control = ContinuousClock().measure { await Soak.wait(.milliseconds(50)) }
                let elapsed = try await ContinuousClock().measure(body)
                best = min(best, elapsed - max(.zero, await control - .milliseconds(60)))
            }
            return best
        }

        private func expectTimeout(_ session: CurlSession, _ request: APIRequest) async {
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.code == .timeout)
        }

        enum Limit: String, CaseIterable, Sendable { case idle, deadline }

        @Test(arguments: Limit.allCases)
        func `a timeout of 50 ms takes 50 to 150 ms`(limit: Limit) async throws {
            try await CurlScene.run { _ in
                .stall
            } _: { scene in
                let best = try await fastest {
                    let request = try scene.request { options in
                        if limit == .idle { options.idleTimeout = .milliseconds(50) }
                        if limit == .deadline { options.deadline = .after(.milliseconds(50)) }
                    }
                    let elapsed = await ContinuousClock().measure { await expectTimeout(scene.session, request) }
                    // The idle timeout starts at the beginning of the event-loop iteration that received the last byte.
                    #expect(elapsed >= .milliseconds(limit == .idle ? 49 : 50))
                }
                #expect(best < .milliseconds(150) * TestEnvironment.patience)
            }
        }

        @Test func `received bytes and a paused reader prevent an idle timeout`() async throws {
            let drip = LoopbackReply.raw(
                [.bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n".utf8))]
                    + (0..<20).flatMap { _ in [.pause(.milliseconds(40)), .bytes(Data([0x78]))] })
            try await CurlScene.run {
                $0.path == "/drip" ? drip : .data(Data(count: 4 << 20))
            } _: { scene in
                let idle = Duration.milliseconds(400) * TestEnvironment.patience
                let slow = try await scene.session.send(scene.request("/drip") { $0.idleTimeout = idle })
                #expect(slow.body.data?.count == 20)
                let short = Duration.milliseconds(100) * TestEnvironment.patience
                let stream = try await scene.session.send(
                    scene.request { ($0.idleTimeout, $0.delivery) = (short, .streamed) })
                await Soak.wait(short * 3)
                #expect(try await stream.body.collect().count == 4 << 20)
            }
        }

        @Test func `a stream ends by its idle timeout or its deadline`()
            async throws
        {
            let steps: [LoopbackReply.RawStep] =
                [.bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\nx".utf8))]
            let drip = (0..<2_000).flatMap { _ in [LoopbackReply.RawStep.pause(.milliseconds(5)), .bytes(Data([0x78]))]
            }
            try await CurlScene.run {
                .raw(steps + ($0.path == "/drip" ? drip : [.pause(.seconds(30))]))
            } _: { scene in
                for path in ["/", "/drip"] {
                    let response = try await scene.session.send(
                        scene.request(path) {
                            $0.delivery = .streamed
                            $0.idleTimeout = .milliseconds(path == "/" ? 250 : 10_000) * TestEnvironment.patience
                            if path == "/drip" { $0.deadline = .after(.milliseconds(120) * TestEnvironment.patience) }
                        })
                    let error = await #expect(throws: ServiceError.self) { try await response.body.collect() }
                    #expect(error?.code == .timeout)
                }
            }
        }

        /// Many simple servers send the rest of a response only after its first part is acknowledged. If the client's
        /// system delays acknowledgements, they wait for 40 ms with each response after the first few.
        @Test(arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", "body"),
            ("HTTP/1.1 200 OK\r\n", "Content-Length: 0\r\n\r\n"),
        ])
        func `the first part of a response is acknowledged at once`(first: String, second: String) async throws {
            let peer = try RawPeer(.respondsInPieces(first, second))
            let session = CurlSession(.direct)
            var times: [Duration] = []
            for _ in 0..<20 {
                let request = try CurlScene.request("http://127.0.0.1:\(peer.port)/")
                times.append(try await ContinuousClock().measure { _ = try await session.send(request) })
            }
            // The third fastest of ten counts. On a busy machine many are late, and one or two may be early because the
            // system acknowledged them at once by itself.
            #expect(times.dropFirst(10).sorted()[2] < .milliseconds(30), "\(times)")
        }

        @Test func `connecting has its own timeout`() async throws {
            let peer = try RawPeer(.isFull)
            var configuration = CurlSession.Configuration.direct
            configuration.connectTimeout = .milliseconds(80)
            let session = CurlSession(configuration)
            let best = try await fastest(3) {
                let request = try CurlScene.request("http://127.0.0.1:\(peer.port)/")
                let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                #expect(error?.code == .connection)
            }
            #expect(best < .milliseconds(250) * TestEnvironment.patience, "\(best)")
        }

        @Test func `a deadline and an idle timeout end connecting`() async throws {
            let peer = try RawPeer(.isFull)
            let session = CurlSession(.direct)
            for limit in Limit.allCases {
                let best = try await fastest(3) {
                    let request = try CurlScene.request("http://127.0.0.1:\(peer.port)/") { options in
                        if limit == .idle { options.idleTimeout = .milliseconds(50) }
                        if limit == .deadline { options.deadline = .after(.milliseconds(50)) }
                    }
                    await expectTimeout(session, request)
                }
                #expect(best < .milliseconds(150) * TestEnvironment.patience, "\(limit): \(best)")
            }
        }

        @Test func `a deadline ends waiting in the queue, an idle timeout does not`() async throws {
            try await CurlScene.run(.connections(1)) {
                $0.path == "/stall" ? .stall : .text("x")
            } _: { scene in
                let stalled = try scene.request("/stall")
                let first = Task { try await scene.session.send(stalled) }
                await scene.requests(1)
                let best = try await fastest {
                    await expectTimeout(
                        scene.session, try scene.request { $0.deadline = .after(.milliseconds(50)) })
                }
                #expect(best < .milliseconds(150) * TestEnvironment.patience, "\(best)")
                #expect(scene.server.statistics.requests == 1)
                let patient = try scene.request { $0.idleTimeout = .milliseconds(500 * TestEnvironment.patience) }
                let second = Task { try await scene.session.send(patient) }
                await Soak.wait(.milliseconds(700 * TestEnvironment.patience))
                first.cancel()
                #expect(try await second.value.head.status == 200)
            }
        }

        /// Uses a stopped clock. Its deadline is independent of the machine's time.
        @Test func `a deadline on another clock ignores the system's clock`() async throws {
            let slow = LoopbackReply.later {
                await Soak.wait(.milliseconds(150))
                return .text("x")
            }
            try await CurlScene.run { _ in
                slow
            } _: { scene in
                let request = try scene.request { $0.deadline = .after(.milliseconds(20), on: StoppedTime()) }
                #expect(try await scene.session.send(request).head.status == 200)
            }
        }

        private struct StoppedTime: TimeSource {
            var now: Duration { .zero }
            var date: Date { Date(timeIntervalSince1970: 0) }
            func sleep(until instant: Duration) async throws {
                await waitUntilCancelled()
                throw CancellationError()
            }
        }
    }
#endif
