#if os(Linux)
    import ErrandSupport
    import Errand
    import ErrandLoopback
    import Foundation
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct CurlConnectionIntegrationTests {
        @Test func `one connection serves sequential requests`() async throws {
            try await CurlScene.run {
                .text("\($0.requestNumber)")
            } _: { scene in
                for number in 1...20 {
                    let response = try await scene.session.send(scene.request())
                    #expect(try await response.body.collect() == Data("\(number)".utf8))
                    #expect(response.metrics?.isConnectionReused == (number > 1))
                }
                #expect(scene.server.connectionCount == 1)
            }
        }

        @Test func `connections are not inherited by child processes`() async throws {
            try await CurlScene.run { _ in
                .text("x")
            } _: { scene in
                _ = try await scene.session.send(scene.request())
                let connections = descriptors(connectedTo: scene.server.port)
                #expect(connections.count == 1)
                for descriptor in connections { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(descriptor)") }
            }
        }

        @Test func `a body of many small chunks is complete`() async throws {
            let chunks = Array(repeating: Data("x".utf8), count: 300_000)
            try await CurlScene.run { _ in
                .chunks(chunks)
            } _: { scene in
                let body = try await scene.session.send(scene.request()).body.collect()
                #expect(body.count == chunks.count)
            }
        }

        /// libcurl trusts the version in the status line. Version 7.76 treats the body as empty, and other versions
        /// share the connection.
        @Test(arguments: [
            "HTTP/2 200 OK", "HTTP/2.0 200 OK", "HTTP/2 204", "HTTP/2 302 Found", "HTTP/3 200", "HTTP/2 103 Early",
        ])
        func `a server without TLS that claims HTTP 2 is refused`(statusLine: String) async throws {
            try await CurlScene.run { request in
                let text = "\(request.path) on \(request.connectionNumber)"
                return .raw(
                    "\(statusLine)\r\nLocation: /x\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)", then: nil)
            } _: { scene in
                for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<8 {
                            let request = try scene.request("/\(number)") { $0.delivery = delivery }
                            group.addTask {
                                let error = await #expect(throws: ServiceError.self) {
                                    _ = try await scene.session.send(request).body.collect()
                                }
                                #expect(error?.code == .badResponse, "\(error?.reason ?? "")")
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            }
        }

        @Test func `a connection is reused after a streamed response`() async throws {
            try await CurlScene.run { _ in
                .chunks([Data("a".utf8), Data("b".utf8)])
            } _: { scene in
                for _ in 1...5 {
                    let response = try await scene.session.send(scene.request { $0.delivery = .streamed })
                    #expect(try await response.body.collect() == Data("ab".utf8))
                }
                #expect(scene.server.connectionCount == 1)
            }
        }

        /// libcurl 7.88 sends the next request on such a connection, and treats those bytes as its response.
        @Test(arguments: [1, 4]) func `bytes between two responses belong to no request`(
            connections: Int
        ) async throws {
            let arrived = Locked(0)
            try await CurlScene.run { request in
                let response = LoopbackReply.RawStep.bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8))
                let forged = LoopbackReply.RawStep.bytes(
                    Data("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign".utf8))
                switch request.path {
                case "/together":
                    arrived.withLock { $0 += 1 }
                    return .later {
                        try? await Soak.wait { arrived.withLock { $0 } == connections }
                        return .text("x")
                    }
                case "/forged": return .raw([response, .pause(.milliseconds(5)), forged], then: nil)
                case "/later": return .raw([.pause(.milliseconds(6)), response], then: nil)
                default: return .raw([response], then: nil)
                }
            } _: { scene in
                let watch = CurlSession(.direct)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let request = try scene.request("/together")
                    for _ in 0..<connections { group.addTask { _ = try await scene.session.send(request) } }
                    try await group.waitForAll()
                }
                for path in Array(repeating: ["/forged", "/"], count: 6).joined() {
                    let body = try await scene.session.send(scene.request(path)).body.collect()
                    #expect(body == Data("x".utf8))
                    // Bytes that arrive after the next request are its response. The server keeps the order of its
                    // pauses. When a pause that began later is over and another request has its response, the server
                    // has sent everything.
                    for path in ["/later", "/"] { _ = try await watch.send(scene.request(path)) }
                }
            }
        }

        /// The transfer is paused when its last byte arrives, so libcurl does not wait for the descriptor at its end.
        @Test func `bytes after a paused response belong to no request`() async throws {
            let full = Data(repeating: 7, count: BodyPipe.highWater)
            try await CurlScene.run { request in
                guard request.path == "/paused" else { return .text("x") }
                let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(full.count + 1)\r\n\r\n".utf8)
                let forged = Data("xHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign".utf8)
                return .raw([.bytes(head + full), .pause(.milliseconds(20)), .bytes(forged)], then: nil)
            } _: { scene in
                let response = try await scene.session.send(scene.request("/paused") { $0.delivery = .streamed })
                await Soak.wait(.milliseconds(60))
                #expect(try await response.body.collect(upTo: 1 << 20).count == full.count + 1)
                for _ in 0..<3 {
                    #expect(try await scene.session.send(scene.request()).body.collect() == Data("x".utf8))
                }
            }
        }

        @Test(arguments: [(30, 4), (12, 1), (100, 16)])
        func `the number of connections never exceeds the limit`(requests: Int, cap: Int) async throws {
            let open = Locked((now: 0, most: 0))
            try await CurlScene.run(.connections(cap)) { _ in
                .later {
                    open.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
                    await Soak.wait(.milliseconds(3))
                    open.withLock { $0.now -= 1 }
                    return .text("x")
                }
            } _: { scene in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let request = try scene.request()
                    for _ in 0..<requests { group.addTask { _ = try await scene.session.send(request) } }
                    try await group.waitForAll()
                }
                #expect(open.withLock { $0.most } <= cap)
                #expect(scene.server.connectionCount == cap)
            }
        }

        /// A request that must not use a kept connection opens one. The limit includes the kept connections.
        @Test func `requests that need a fresh connection respect the limit`() async throws {
            try await CurlScene.run(.connections(2)) { _ in
                .text("x")
            } _: { scene in
                let most = Locked(0)
                let watch = Task {
                    for await statistics in scene.server.statisticsUpdates {
                        most.withLock { $0 = max($0, statistics.openConnections) }
                    }
                }
                for _ in 0..<10 {
                    _ = try await scene.session.send(scene.request())
                    _ = try await scene.session.send(scene.request("/", "POST"))
                }
                // The server sees the end of a connection slightly later than the next request.
                #expect(await Soak.eventually { scene.server.statistics.openConnections <= 2 })
                #expect(most.withLock { $0 } <= 4)
                watch.cancel()
            }
        }

        @Test func `requests are sent in order`() async throws {
            let order = Locked<[String]>([])
            try await CurlScene.run(.connections(1)) { request in
                order.withLock { $0.append(request.path) }
                return request.path == "/first"
                    ? .later {
                        await Soak.wait(.milliseconds(20))
                        return .text("x")
                    } : .text("x")
            } _: { scene in
                let first = try scene.request("/first")
                var tasks = [Task { _ = try await scene.session.send(first) }]
                await scene.requests(1)
                // Each request is in the queue before the next one is created, because sending drives the engine before
                // it suspends.
                for number in 0..<5 {
                    let request = try scene.request("/\(number)")
                    tasks.append(Task.immediate { _ = try await scene.session.send(request) })
                }
                for task in tasks { try await task.value }
                #expect(order.withLock { $0 } == ["/first", "/0", "/1", "/2", "/3", "/4"])
            }
        }

        @Test func `connections are closed when the session is released`() async throws {
            try await LoopbackServer.withServer { _ in
                .text("x")
            } _: { server in
                var session: CurlSession? = CurlSession(.direct)
                let request = try CurlScene.request(server.url.absoluteString)
                _ = try await session?.send(request)
                #expect(server.statistics.openConnections == 1)
                session = nil
                #expect(await Soak.eventually { server.statistics.openConnections == 0 })
            }
        }

        @Test func `a stream continues after its session is released`() async throws {
            let bytes = Data(repeating: 7, count: 3 << 20)
            try await LoopbackServer.withServer { _ in
                .data(bytes)
            } _: { server in
                var session: CurlSession? = CurlSession(.direct)
                let request = try CurlScene.request(server.url.absoluteString) { $0.delivery = .streamed }
                let response = try #require(try await session?.send(request))
                session = nil
                #expect(try await response.body.collect() == bytes)
                #expect(response.body.metrics?.bytesReceived == Int64(bytes.count))
                #expect(await Soak.eventually { server.statistics.openConnections == 0 })
            }
        }

        /// Other suites start and end sessions at the same time, but fewer than fifty.
        @Test(arguments: [1, 8])
        func `released sessions leave no descriptors or threads`(tasks: Int) async throws {
            try await LoopbackServer.withServer { _ in
                .text("x")
            } _: { server in
                let request = try CurlScene.request(server.url.absoluteString)
                let before = CurlUsage.now
                for _ in 0..<100 {
                    let session = CurlSession(.direct)
                    // Several first requests run at the same time. One engine must remain.
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<tasks { group.addTask { _ = try await session.send(request) } }
                        try await group.waitForAll()
                    }
                }
                _ = await Soak.eventually { CurlUsage.now.isWithin(before, by: 20) }
                let after = CurlUsage.now
                #expect(after.isWithin(before, by: 20), "\(before), then \(after)")
                #expect(await Soak.eventually { server.statistics.openConnections == 0 })
            }
        }
    }

    /// The resources of engines: a thread each, and two descriptors in addition to sockets.
    struct CurlUsage: Sendable {
        let threads: Int
        let descriptors: Int

        static var now: Self {
            let files = FileManager.default
            let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return Self(
                threads: threads.count {
                    (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "errand.curl\n"
                },
                descriptors: descriptors.count {
                    let target = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) ?? ""
                    return target.contains("eventpoll") || target.contains("eventfd")
                })
        }

        func isWithin(_ other: Self, by margin: Int) -> Bool {
            threads <= other.threads + margin && descriptors <= other.descriptors + 2 * margin
        }
    }

    /// The descriptors of this process that are connected to a port.
    private func descriptors(connectedTo port: Int) -> [Int32] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return entries.compactMap { Int32($0) }.filter { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutableBytes(of: &address) { bytes in
                getpeername(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
            return status == 0 && Int(in_port_t(bigEndian: address.sin_port)) == port
        }
    }
#endif
