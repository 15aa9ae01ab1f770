#if os(Linux)
    import ErrandSupport
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct CurlStreamIntegrationTests {
        @Test func `chunks arrive as sent, with trailers and metrics at the end`() async throws {
            let (permits, permit) = AsyncStream<Void>.makeStream()
            let paced = LoopbackReply.stream(trailers: [LoopbackHeader("X-Sum", "3"), LoopbackHeader("x-sum", "4")]) {
                writer in
                var turns = permits.makeAsyncIterator()
                for text in ["one", "two", "three"] {
                    try await writer.write(text)
                    await turns.next()
                }
            }
            try await CurlScene.run { _ in
                paced
            } _: { scene in
                let response = try await scene.session.send(scene.request { $0.delivery = .streamed })
                var seen: [String] = []
                for try await chunk in response.body {
                    #expect(response.body.trailers.isEmpty && response.body.metrics == nil)
                    seen.append(String(decoding: chunk, as: UTF8.self))
                    permit.yield()
                }
                #expect(seen == ["one", "two", "three"])
                #expect(response.body.trailers.all("X-SUM") == ["3", "4"])
                let metrics = try #require(response.body.metrics)
                #expect(metrics.bytesReceived == 11 && metrics.protocolName == "http/1.1")
                #expect(try #require(metrics.total) >= #require(metrics.firstByte))
            }
        }

        /// Bytes in transit are in the pipe, one read of libcurl, the writer's 64 kB, and the socket buffers.
        @Test func `a stopped reader makes the server's writer wait`() async throws {
            let written = Locked(0)
            var configuration = LoopbackServer.Configuration()
            configuration.sendBufferBytes = 64 << 10
            let part = Data(repeating: 1, count: 32 << 10)
            let many = LoopbackReply.stream { writer in
                for _ in 0..<1_024 {
                    try await writer.write(part)
                    written.withLock { $0 += part.count }
                }
            }
            try await CurlScene.run(server: configuration) { _ in
                many
            } _: { scene in
                let response = try await scene.session.send(scene.request { $0.delivery = .streamed })
                try await Soak.wait { written.withLock { $0 } >= BodyPipe.highWater }
                var last = -1
                // Waits until the server has written nothing for 200 ms.
                while last != written.withLock({ $0 }) {
                    last = written.withLock { $0 }
                    await Soak.wait(.milliseconds(200))
                }
                #expect(last >= BodyPipe.highWater)
                #expect(last < 16 << 20, "expected less than 16 MB from the server, found \(last) bytes")
                #expect(try await response.body.collect().count == 32 << 20)
            }
        }

        @Test func `a stream has one reader`() async throws {
            try await CurlScene.run { _ in
                .data(Data(count: 1 << 20))
            } _: { scene in
                let response = try await scene.session.send(scene.request { $0.delivery = .streamed })
                #expect(try await response.body.collect().count == 1 << 20)
                let error = await #expect(throws: ServiceError.self) { try await response.body.collect() }
                #expect(error?.code == .configuration)
            }
        }

        @Test(arguments: [false, true])
        func `a dropped stream closes its connection`(isBegun: Bool) async throws {
            let endless = LoopbackReply.stream { writer in
                while true { try await writer.write(Data(count: 64 << 10)) }
            }
            try await CurlScene.run { _ in
                endless
            } _: { scene in
                for _ in 0..<10 {
                    let response = try await scene.session.send(scene.request { $0.delivery = .streamed })
                    if isBegun { for try await _ in response.body { break } }
                }
                #expect(await scene.hasConnections(0))
                #expect(scene.server.connectionCount == 10)
            }
        }

        @Test(arguments: [true, false])
        func `a truncated body delivers its bytes before the error`(isChunked: Bool) async throws {
            let bytes = Data(repeating: 9, count: 200_000)
            let complete = isChunked ? LoopbackReply.chunks([bytes, bytes]) : .data(bytes)
            try await CurlScene.run { _ in
                complete.truncatingBody(after: 150_000)
            } _: { scene in
                let response = try await scene.session.send(scene.request { $0.delivery = .streamed })
                var count = 0
                let error = await #expect(throws: ServiceError.self) {
                    for try await chunk in response.body { count += chunk.count }
                }
                #expect(error?.code == .connectionLost)
                #expect(count > 100_000 && count <= 150_000)
            }
        }

        @Test(arguments: ContentSample.all, [RequestOptions.Delivery.buffered, .streamed])
        func `content codings are decoded over the network, also in pieces`(
            sample: ContentSample, delivery: RequestOptions.Delivery
        )
            async throws
        {
            let reply = LoopbackReply.data(sample.encoded).header("Content-Encoding", sample.coding)
            try await CurlScene.run { request in
                request["Accept-Encoding"] == ContentCoding.accepted
                    ? request.path == "/slow" ? reply.slow(bytesPerStep: 16, interval: .milliseconds(1)) : reply
                    : .status(400)
            } _: { scene in
                for path in ["/", "/slow"] {
                    let response = try await scene.session.send(scene.request(path) { $0.delivery = delivery })
                    #expect(try await response.body.collect() == sample.plain)
                    #expect(response.head.headers["Content-Encoding"] == sample.coding)
                    let metrics = response.metrics ?? response.body.metrics
                    #expect(metrics?.bytesReceived == Int64(sample.encoded.count))
                }
            }
        }

        /// The reader, the engine's thread and the callers' threads pause and resume transfers at random times.
        @Test func `many slow readers lose no bytes`() async throws {
            let size = 3 << 20
            let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) })
            try await CurlScene.run { _ in
                .data(bytes)
            } _: { scene in
                let request = try scene.request { $0.delivery = .streamed }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for reader in 0..<TestEnvironment.rounds(8, heavy: 64, patient: 4) {
                        group.addTask {
                            let response = try await scene.session.send(request)
                            var (read, turn) = (Data(), reader)
                            for try await chunk in response.body {
                                read.append(chunk)
                                turn += 1
                                if turn % 3 == 0 { await Soak.wait(.microseconds(turn % 7 * 300)) }
                            }
                            #expect(read == bytes)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
#endif
