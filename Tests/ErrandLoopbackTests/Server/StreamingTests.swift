import Errand
import ErrandLoopback
import ErrandSupport
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StreamingTests {
    @Test func `a streamed response arrives while written and leaves the connection open`() async throws {
        let gate = Gate()
        try await LoopbackServer.withServer { _ in
            .stream(trailers: [.init("Sum", "4")]) { writer in
                try await writer.write("one")
                await gate.wait()
                try await writer.write("")
                try await writer.write("2")
            }
        } _: { server in
            let port = server.port
            let client = try await blocking { try SocketClient(port: port) }
            try client.get("/")
            let start = try await client.next(through: "3\r\none\r\n")
            #expect(start == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            gate.open()
            #expect(try await client.next(through: "\r\n\r\n") == "1\r\n2\r\n0\r\nSum: 4\r\n\r\n")
            try client.get("/")
            #expect(try await client.next(through: "Sum: 4\r\n\r\n").hasSuffix("0\r\nSum: 4\r\n\r\n"))
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `writing waits for a slow client and fails after a disconnect`() async throws {
        let written = Locked(0)
        let (failures, failed) = AsyncStream.makeStream(of: LoopbackError?.self)
        var configuration = LoopbackServer.Configuration()
        configuration.sendBufferBytes = 1 << 14
        try await LoopbackServer.withServer(configuration: configuration) { request in
            if request.path == "/ping" { return .text("pong") }
            return .stream { writer in
                do {
                    while written.withLock({ $0 < 1 << 26 }) {
                        try await writer.write(Data(count: 1 << 16))
                        written.withLock { $0 += 1 << 16 }
                    }
                    failed.yield(nil)
                } catch {
                    failed.yield(error as? LoopbackError)
                }
            }
        } _: { server in
            let port = server.port
            let head = try await blocking {
                let client = try SocketClient(port: port, receiveBuffer: 1 << 14)
                try client.get("/")
                let head = try client.read(through: "\r\n\r\n")
                let other = try SocketClient(port: port)
                for _ in 0..<1000 {  // enough time for a writer that does not wait to write everything
                    try other.get("/ping")
                    _ = try other.reply()
                }
                return head
            }
            #expect(head.hasPrefix("HTTP/1.1 200 OK"))
            let failure = await failures.first { _ in true }
            #expect(failure??.code == .disconnected)
            #expect(written.withLock { $0 } < 1 << 24)
        }
    }

    @Test func `a large stream arrives complete despite back-pressure`() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.sendBufferBytes = 1 << 14
        try await LoopbackServer.withServer(configuration: configuration) { _ in
            .stream(contentLength: 100 * 70_000) { writer in
                for number in 0..<100 { try await writer.write(Data(repeating: UInt8(number), count: 70_000)) }
            }
        } _: { server in
            let port = server.port
            let body = try await blocking {
                let client = try SocketClient(port: port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                _ = try client.read(through: "\r\n\r\n")
                return try client.readToEnd()
            }
            #expect(Data(body.utf8) == Data((0..<100).flatMap { [UInt8](repeating: $0, count: 70_000) }))
        }
    }

    @Test func `a stream cannot exceed its declared length`() async throws {
        let (failures, failed) = AsyncStream.makeStream(of: LoopbackError?.self)
        try await LoopbackServer.withServer { _ in
            .stream(contentLength: 2) { writer in
                try await writer.write("ab")
                do { try await writer.write("c") } catch { failed.yield(error as? LoopbackError) }
            }
        } _: { server in
            let port = server.port
            // The client stays connected, because a disconnect would make the second write fail for another reason.
            let (client, reply) = try await blocking {
                let client = try SocketClient(port: port)
                try client.get("/")
                return (client, try client.reply())
            }
            #expect(reply == "HTTP/1.1 200 OK | ab")
            #expect(await failures.first { _ in true }??.code == .contentLengthExceeded)
            withExtendedLifetime(client) {}
        }
    }

    @Test func `a disconnect cancels the reply that is being created`() async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
        try await LoopbackServer.withServer { _ in
            .later {
                await Gate().wait()
                ended.yield(Task.isCancelled)
                return .text("unread")
            }.interim(103)
        } _: { server in
            let port = server.port
            try await blocking {
                let client = try SocketClient(port: port)
                try client.get("/")
                _ = try client.read(through: "103 Early Hints\r\n\r\n")
            }
            #expect(await ends.first { _ in true } == true)
            let last = await server.statisticsUpdates.first { $0.openConnections == 0 }
            #expect(last?.acceptedConnections == 1)
        }
    }
}
