import ErrandLoopback
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct LifetimeTests {
    static let hasProc = FileManager.default.fileExists(atPath: "/proc/self/task")

    @Test func `stopping aborts all responses and can be repeated`() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/stall": .stall
            case "/later":
                .later {
                    await Gate().wait(); return .text("")
                }
            case "/stream": .stream { writer in while true { try await writer.write("more") } }
            default: .text("x").slow(interval: .seconds(100))
            }
        }
        let port = server.port
        let clients = try await blocking {
            try ["/stall", "/later", "/stream", "/slow"].map { target in
                let client = try SocketClient(port: port)
                try client.get(target)
                return client
            }
        }
        _ = await server.statisticsUpdates.first { $0.requests == 4 }
        async let again: Void = server.stop()
        await server.stop()
        await again
        #expect(server.statistics.openConnections == 0)
        for client in clients {
            #expect(await client.isEnded())
        }
        let refused = await #expect(throws: SocketClient.Failure.self) {
            _ = try await blocking { try SocketClient(port: port) }
        }
        #expect(refused?.code == ECONNREFUSED)
        await server.stop()
        #expect(await server.statisticsUpdates.first { _ in false } == nil)
    }

    @Test func `a port can be reused only after its server has stopped`() async throws {
        let first = try LoopbackServer { _ in .text("first").closingConnection() }
        let port = first.port
        _ = try await SocketClient.response(to: "GET / HTTP/1.0\r\n\r\n", port: port)
        let error = #expect(throws: LoopbackError.self) { try LoopbackServer(port: port) { _ in .text("") } }
        #expect(error?.code == .cannotListen && error?.systemError == EADDRINUSE)
        await first.stop()
        try await LoopbackServer.withServer(port: port) { _ in
            .text("second")
        } _: { second in
            #expect(second.port == port && second.url.absoluteString == "http://127.0.0.1:\(port)")
        }
    }

    @Test(arguments: [-1, 65_536, Int.max])
    func `an invalid port is an error`(port: Int) {
        #expect(throws: LoopbackError.self) { try LoopbackServer(port: port) { _ in .text("") } }
    }

    @Test func `a server without references shuts down`() async throws {
        let updates: AsyncStream<LoopbackServer.Statistics>
        do {
            let server = try LoopbackServer { _ in .stall }
            updates = server.statisticsUpdates
        }
        #expect(await updates.first { _ in false } == nil)
    }

    @Test(.enabled(if: hasProc)) func `five hundred servers leak no descriptors and no threads`() async throws {
        let pipes = try ProcessUsage.pipes()
        var ports: Set<Int> = []
        for _ in 0..<500 {
            let server = try LoopbackServer { _ in .stall }
            let port = server.port
            ports.insert(port)
            let client = try await blocking { try SocketClient(port: port) }
            try client.get("/")
            await server.stop()
        }
        // Other suites run at the same time, and their servers may now use some of these ports. Pipes have no name. A
        // leak would be 500 of each, and 1,000 pipes.
        #expect(try ProcessUsage.sockets(ofPorts: ports) < 50)
        #expect(try ProcessUsage.threads(named: Set(ports.map { "loopback-\($0)" })) < 50)
        #expect(try ProcessUsage.pipes() < pipes + 200)
    }

    @Test func `a thousand sequential connections are served and closed`() async throws {
        try await serve(connections: 1000)
    }

    @Test(.enabled(if: TestEnvironment.runsHeavyTests))
    func `twenty thousand sequential connections are served and closed`() async throws {
        try await serve(connections: 20_000)
    }

    private func serve(connections count: Int) async throws {
        try await LoopbackServer.withServer { _ in
            .text("x").closingConnection()
        } _: { server in
            let port = server.port
            try await blocking {
                for _ in 0..<count {
                    let client = try SocketClient(port: port)
                    try client.get("/")
                    #expect(try client.reply() == "HTTP/1.1 200 OK | x")
                    client.resetOnClose()
                }
            }
            let last = await server.statisticsUpdates.first { $0.openConnections == 0 }
            #expect(last?.acceptedConnections == count && last?.requests == count)
            // Only the listener is open, but the listings are not atomic. A leak would be a thousand sockets.
            if Self.hasProc { #expect(try ProcessUsage.sockets(ofPorts: [port]) < 50) }
        }
    }
}
