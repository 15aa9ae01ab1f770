#if os(Linux)
    import ErrandSupport
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(10))) struct CurlSoakIntegrationTests {
        private static let big = Data((0..<(300 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 6) })

        private static let handler: LoopbackServer.Handler = { request in
            switch request.path {
            case "/echo": .data(request.body)
            case "/big": .data(big)
            case "/chunks": .chunks([big.prefix(70_000), big.dropFirst(70_000)])
            case "/slow":
                .later {
                    await Soak.wait(.milliseconds(3))
                    return .text("slow")
                }
            case "/close": .text("close").closingConnection()
            case "/reset": .reset
            default: .text("x")
            }
        }

        /// The number of cancelled requests, and the longest time that one took to end.
        private struct Times: Sendable {
            var cancelled = 0
            var longest = Duration.zero
            /// The longest time that an idle task took to end, which measures the load of the machine.
            var control = Duration.zero
        }

        @Test func `cancelled requests end at once, and the session still works`()
            async throws
        {
            let count = TestEnvironment.rounds(1_000, heavy: 10_000, patient: 500)
            let before = CurlUsage.now
            try await CurlScene.run(.connections(16), Self.handler) { scene in
                var (times, isSoon) = (Times(), false)
                // Other tests that run at the same time may delay the end, so there are several rounds.
                for _ in 1...(TestEnvironment.isAlone ? 1 : 3) where !isSoon {
                    times = try await Self.cancel(count, scene)
                    let others = TestEnvironment.isAlone ? .zero : times.control
                    isSoon = times.longest < .milliseconds(100) * TestEnvironment.patience + others
                }
                #expect(
                    isSoon, "the last of \(count) ended after \(times.longest), an idle task after \(times.control)")
                #expect(times.cancelled > count / 20)
                let last = try await scene.session.send(scene.request("/big"))
                #expect(last.body.data == Self.big)
                #expect(await Soak.eventually { scene.server.statistics.openConnections <= 16 })
            }
            #expect(await Soak.eventually { CurlUsage.now.isWithin(before, by: 4) })
        }

        /// Cancels requests of all kinds at random times.
        private static func cancel(_ count: Int, _ scene: CurlScene) async throws -> Times {
            let times = Locked(Times())
            let seeds = Locked(SplitMix(state: 77))
            let outcome = await Soak.run(count, seed: 7) {
                let (kind, delay) = seeds.withLock { ($0.next() % 5, Int($0.next() % 8_000)) }
                let request = try scene.request(
                    ["/", "/big", "/slow", "/chunks", "/echo"][Int(kind)], kind == 4 ? "POST" : "GET",
                    body: kind == 4 ? .data(big) : .none
                ) { $0.delivery = kind == 3 ? .streamed : .buffered }
                let task = Task {
                    let response = try await scene.session.send(request)
                    return try await response.body.collect()
                }
                await Soak.wait(.microseconds(delay))
                let (end, elapsed) = await cancelling(task)
                let control = await timeToEndIdly()
                times.withLock { ($0.longest, $0.control) = (max($0.longest, elapsed), max($0.control, control)) }
                if end.isCancellation {
                    times.withLock { $0.cancelled += 1 }
                } else {
                    try end.get()
                }
            }
            #expect(outcome.others == [])
            let all = times.withLock { $0 }
            print(
                "curl soak: \(count) requests, \(all.cancelled) cancelled, ended within \(all.longest), "
                    + "idle tasks \(all.control)")
            return all
        }

        /// Sixty-four concurrent tasks send requests of all kinds. Each body is compared with the expected one.
        @Test func `every body is correct under concurrent load`() async throws {
            let rounds = TestEnvironment.rounds(4, heavy: 400, patient: 4)
            try await CurlScene.run(.connections(12), Self.handler) { scene in
                let wrong = await withTaskGroup(of: [String].self) { group in
                    for worker in 0..<64 {
                        group.addTask {
                            var random = SplitMix(state: UInt64(worker))
                            var wrong: [String] = []
                            for _ in 0..<rounds { wrong += await Self.step(scene, Int(random.next() % 10)) }
                            return wrong
                        }
                    }
                    return await group.reduce(into: []) { $0 += $1 }
                }
                #expect(wrong == [])
                let last = try await scene.session.send(scene.request("/big"))
                #expect(last.body.data == Self.big)
            }
        }

        /// Sends one request. Returns its failures.
        private static func step(_ scene: CurlScene, _ kind: Int) async -> [String] {
            do {
                let (body, must) = try await exchange(scene, kind)
                return body == must ? [] : ["kind \(kind): expected \(must.count) bytes, found \(body?.count ?? -1)"]
            } catch {
                let isMeant =
                    kind == 8
                    ? error.isCancelled : kind == 9 ? (error as? ServiceError)?.code == .connectionLost : false
                return isMeant ? [] : ["kind \(kind): \(error)"]
            }
        }

        private static func exchange(_ scene: CurlScene, _ kind: Int) async throws -> (Data?, Data) {
            let stream: (inout RequestOptions) -> Void = { $0.delivery = .streamed }
            switch kind {
            case 0: return (try await scene.session.send(scene.request("/big")).body.data, big)
            case 1, 2:
                let response = try await scene.session.send(
                    scene.request(kind == 1 ? "/big" : "/chunks", "GET", stream))
                return (try await response.body.collect(), big)
            case 3:
                let response = try await scene.session.send(scene.request("/big", "GET", stream))
                for try await chunk in response.body { return (big.starts(with: chunk) ? big : chunk, big) }
                return (nil, big)
            case 4:
                let response = try await scene.session.send(scene.request("/echo", "PUT", body: .data(big)))
                return (response.body.data, big)
            case 5, 6:
                let parts = RequestBody.stream(length: kind == 5 ? Int64(big.count) : nil) {
                    AsyncStream<Data> { source in
                        for start in stride(from: 0, to: big.count, by: 50_000) {
                            source.yield(big[start..<min(start + 50_000, big.count)])
                        }
                        source.finish()
                    }
                }
                let response = try await scene.session.send(scene.request("/echo", "POST", body: parts, stream))
                return (try await response.body.collect(), big)
            case 7: return (try await scene.session.send(scene.request("/close")).body.data, Data("close".utf8))
            case 8:
                let request = try scene.request("/slow")
                let task = Task { try await scene.session.send(request).body.data }
                await Soak.wait(.milliseconds(1))
                task.cancel()
                return (try await task.value, Data("slow".utf8))
            default: return (try await scene.session.send(scene.request("/reset", "POST")).body.data, Data())
            }
        }
    }

    extension Error {
        fileprivate var isCancelled: Bool { Result<Void, any Error>.failure(self).isCancellation }
    }
#endif
