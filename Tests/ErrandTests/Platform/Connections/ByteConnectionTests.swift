#if os(Linux)
    import Errand
    import ErrandSupport
    import Foundation
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct ByteConnectionTests {
        /// The events of a connection so far.
        private final class Events: Sendable {
            let opened = Locked(0)
            let bytes = Locked(Data())
            let errors = Locked<[ServiceError]>([])

            func add(_ event: ByteConnectionEvent) {
                switch event {
                case .opened: opened.withLock { $0 += 1 }
                case .received(let bytes): self.bytes.withLock { $0.append(bytes) }
                case .ended(let error): errors.withLock { $0.append(error) }
                }
            }

            func end() async throws -> ServiceError {
                try await Soak.wait { self.errors.withLock { !$0.isEmpty } }
                return try #require(errors.withLock { $0.first })
            }
        }

        private func peer(_ port: Int, _ configure: (inout ByteConnectionPeer) -> Void = { _ in }) -> ByteConnectionPeer
        {
            var peer = ByteConnectionPeer(host: "127.0.0.1", port: port, connectTimeout: .seconds(10))
            configure(&peer)
            return peer
        }

        @Test func `bytes arrive completely and in order in both directions`() async throws {
            let (echo, events) = (try RawPeer(.echoes), Events())
            let connection = try peer(echo.port).connect { events.add($0) }
            var random = SplitMix(state: 5)
            // Far more than the buffers of the system, so that sending has to wait.
            let words = (0..<2 << 20).map { _ in random.next() }
            let bytes = words.withUnsafeBytes { Data($0) }
            for start in stride(from: 0, to: bytes.count, by: 1 << 18) {
                connection.send(bytes[start..<start + 1 << 18])
            }
            try await Soak.wait { events.bytes.withLock { $0.count } >= bytes.count }
            #expect(events.bytes.withLock { $0 } == bytes && events.opened.withLock { $0 } == 1)
            connection.close()
            #expect(try await events.end().code == .connectionLost)
        }

        /// The first bytes after a response are sent by the caller, the following ones by the thread of the connection.
        @Test func `messages after a response arrive in order`() async throws {
            let (echo, events) = (try RawPeer(.echoes), Events())
            let connection = try peer(echo.port).connect { events.add($0) }
            var (random, sent) = (SplitMix(state: 6), Data())
            for _ in 0..<200 {
                for _ in 0...random.next() % 4 {
                    // Less and more than a caller sends.
                    let count = Int(random.next() % (random.next() % 4 == 0 ? 32_768 : 64)) + 1
                    let piece = Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
                    connection.send(piece)
                    sent.append(piece)
                }
                try await Soak.wait { events.bytes.withLock { $0.count } >= sent.count }
            }
            #expect(events.bytes.withLock { $0 == sent })
            connection.close()
            #expect(try await events.end().code == .connectionLost)
        }

        /// The thread of the connection continues when the peer has reset the connection, so its first attempt to send fails.
        @Test func `bytes that arrived before a reset are delivered`() async throws {
            let (events, begin, end) = (Events(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let text = String(repeating: "x", count: 40_000)
            let server = try RawPeer(.resets(text, after: begin, before: end))
            let connection = try peer(server.port).connect { event in
                if case .opened = event {
                    begin.signal()
                    end.wait()
                }
                events.add(event)
            }
            connection.send(Data("a command".utf8))
            #expect(try await events.end().code == .connectionLost)
            #expect(events.bytes.withLock { $0.count } == text.utf8.count)
        }

        @Test func `bytes are sent by their caller only if none wait`() {
            var (outbox, sent) = (CurlOutbox(), Data())
            func add(_ text: String, sending limit: Int) -> Bool {
                outbox.add(Data(text.utf8)) { bytes, socket in
                    #expect(socket == 5)
                    sent.append(bytes.prefix(limit))
                    return min(limit, bytes.count)
                }
            }
            #expect(add("before", sending: 9))
            #expect(sent.isEmpty && outbox.bytes == Data("before".utf8))
            (outbox.bytes, outbox.socket) = (Data(), 5)
            #expect(!add("all", sending: 9))
            #expect(add("next", sending: 9))
            (outbox.bytes, outbox.socket) = (Data(), 5)
            #expect(add("part", sending: 1))
            #expect(add("rest", sending: 9))
            #expect(sent == Data("allp".utf8) && outbox.bytes == Data("artrest".utf8))
            outbox = CurlOutbox(isClosed: true)
            #expect(!add("late", sending: 9))
            #expect(outbox.bytes.isEmpty)
        }

        @Test func `the end of the peer is an event`() async throws {
            let (server, events) = (try RawPeer(.respondsAndCloses("bye")), Events())
            let connection = try peer(server.port).connect { events.add($0) }
            connection.send(Data("\r\n\r\n".utf8))
            #expect(try await events.end().code == .connectionLost)
            #expect(events.bytes.withLock { $0 } == Data("bye".utf8))
            // The thread has ended, so nothing may be delivered any more.
            connection.send(Data("more".utf8))
            connection.close()
            #expect(events.errors.withLock { $0.count } == 1)
        }

        @Test func `a refused connection is an event`() async throws {
            let events = Events()
            _ = try peer(1).connect { events.add($0) }
            #expect(try await events.end().code == .connection)
            #expect(events.opened.withLock { $0 } == 0)
        }

        @Test func `establishing a connection has a limit`() async throws {
            let (full, events) = (try RawPeer(.isFull), Events())
            _ = try peer(full.port) { $0.connectTimeout = .milliseconds(50) }.connect { events.add($0) }
            #expect(try await events.end().code == .connection)
        }

        @Test func `closing ends a connection that is being established`() async throws {
            let (full, events) = (try RawPeer(.isFull), Events())
            let connection = try peer(full.port) { $0.connectTimeout = .seconds(3_600) }.connect { events.add($0) }
            connection.close()
            #expect(try await events.end().code == .connectionLost)
        }

        @Test func `a server without TLS is an error of a TLS connection`() async throws {
            let (echo, events) = (try RawPeer(.respondsAndCloses("no TLS here\r\n\r\n")), Events())
            _ = try peer(echo.port) {
                $0.tls = ByteConnectionPeer.TLS()
                $0.connectTimeout = .seconds(1)
            }.connect { events.add($0) }
            let code = try await events.end().code
            #expect(code == .tls || code == .connection)
        }

        @Test(arguments: [("", 6_379), ("127.0.0.1", 0), ("127.0.0.1", 65_536), ("a b", 1), ("a/b", 1)])
        func `an invalid address is a configuration error`(host: String, port: Int) {
            let peer = ByteConnectionPeer(host: host, port: port, connectTimeout: .seconds(1))
            #expect(#expect(throws: ServiceError.self) { try peer.url() }?.code == .configuration)
        }
    }
#endif
