#if os(Linux)
    import ErrandSupport
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(1))) struct CurlCancelIntegrationTests {
        /// Cancels several times and compares the best time with the limit, because other rounds may be slow when the
        /// machine is busy.
        private func expectPrompt(
            _ start: () async throws -> Task<Void, any Error>,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var best = Duration.seconds(60)
            for _ in 0..<5 {
                let (end, elapsed) = await cancelling(try await start())
                // A busy machine delays an idle task in the same way.
                let control = await timeToEndIdly()
                #expect(end.isCancellation, "\(end)", sourceLocation: sourceLocation)
                best = min(best, elapsed - control)
            }
            #expect(best < .milliseconds(100) * TestEnvironment.patience, "\(best)", sourceLocation: sourceLocation)
        }

        @Test func `a request that is cancelled before its start is not sent`() async throws {
            try await CurlScene.run { _ in
                .text("x")
            } _: { scene in
                let request = try scene.request()
                let (gates, gate) = AsyncStream<Void>.makeStream()
                let task = Task<Void, any Error> {
                    for await _ in gates {}
                    _ = try await scene.session.send(request)
                }
                task.cancel()
                gate.finish()
                #expect(await task.result.isCancellation)
                #expect(scene.server.connectionCount == 0)
            }
        }

        @Test func `cancellation before the response ends waiting and running requests`() async throws {
            try await CurlScene.run(.connections(1)) { _ in
                .stall
            } _: { scene in
                let request = try scene.request()
                let first = Task { _ = try await scene.session.send(request) }
                await scene.requests(1)
                try await expectPrompt { Task.immediate { _ = try await scene.session.send(request) } }
                #expect(scene.server.statistics.requests == 1)
                // One call alone would depend on the load of the machine, so it is the first of five.
                var waiting: Task<Void, any Error>? = first
                var count = 1
                try await expectPrompt {
                    if let first = waiting.take() { return first }
                    let task = Task { _ = try await scene.session.send(request) }
                    count += 1
                    await scene.requests(count)
                    return task
                }
                #expect(await scene.hasConnections(0))
            }
        }

        @Test func `cancellation ends connecting and name resolution`() async throws {
            let peer = try RawPeer(.isFull)
            for url in [
                "http://127.0.0.1:\(peer.port)/", "http://nowhere-\(UInt64.random(in: 1...(.max))).invalid/",
            ] {
                let session = CurlSession(.direct)
                let request = try CurlScene.request(url)
                var best = Duration.seconds(60)
                for _ in 0..<3 {
                    let (end, elapsed) = await cancelling(Task.immediate { try await session.send(request) })
                    let control = await timeToEndIdly()
                    guard case .failure = end else { continue }
                    best = min(best, elapsed - control)
                }
                #expect(best < .milliseconds(100) * TestEnvironment.patience, "\(url): \(best)")
            }
        }

        @Test func `cancellation ends the transfer of buffered and streamed bodies`() async throws {
            let endless = LoopbackReply.stream { writer in
                try await writer.write("begun")
                await waitUntilCancelled()
            }
            try await CurlScene.run { _ in
                endless
            } _: { scene in
                var count = 0
                for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                    let request = try scene.request { $0.delivery = delivery }
                    try await expectPrompt {
                        let (chunks, chunk) = AsyncStream<Void>.makeStream()
                        let task = Task {
                            let response = try await scene.session.send(request)
                            for try await _ in response.body { chunk.yield() }
                        }
                        count += 1
                        await scene.requests(count)
                        if delivery == .streamed { for await _ in chunks { break } }
                        return task
                    }
                }
                #expect(await scene.hasConnections(0))
            }
        }

        @Test func `cancellation ends an upload that waits for its source`() async throws {
            try await CurlScene.run { _ in
                .text("x")
            } _: { scene in
                try await expectPrompt {
                    let (asks, asked) = AsyncStream<Void>.makeStream()
                    let (ends, ended) = AsyncStream<Void>.makeStream()
                    let body = RequestBody.stream {
                        AsyncStream<Data> {
                            asked.yield()
                            await waitUntilCancelled()
                            ended.yield()
                            return nil
                        }
                    }
                    let request = try scene.request("/", "POST", body: body)
                    let task = Task {
                        defer { withExtendedLifetime(ends) {} }
                        _ = try await scene.session.send(request)
                    }
                    for await _ in asks { break }
                    return task
                }
                #expect(await scene.hasConnections(0))
                #expect(scene.server.statistics.requests == 0)
            }
        }

        /// The engine ends an upload and its source, which waits for the same engine.
        @Test func `a source that uses the same session ends without a deadlock`() async throws {
            let peer = try RawPeer(
                .respondsEarly("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
            try await CurlScene.run { _ in
                .stall
            } _: { scene in
                let inner = try scene.request()
                let session = scene.session
                for round in 1...20 {
                    let (ends, end) = AsyncStream<Void>.makeStream()
                    let others = Locked<[String]>([])
                    let body = RequestBody.stream {
                        let guest = Guest(end)
                        return AsyncThrowingStream<Data, any Error> {
                            do {
                                _ = try await session.send(inner)
                            } catch is CancellationError {
                            } catch {
                                others.withLock { $0.append("\(error)") }
                            }
                            return withExtendedLifetime(guest) { nil }
                        }
                    }
                    let request = try CurlScene.request("http://127.0.0.1:\(peer.port)/", "POST", body: body) {
                        $0.deadline = .after(.milliseconds(300))
                    }
                    _ = try? await session.send(request)
                    for await _ in ends { break }
                    #expect(others.withLock { $0 } == [])
                    #expect(scene.server.statistics.requests <= round)
                }
                #expect(await scene.hasConnections(0))
            }
        }
    }
#endif
