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
