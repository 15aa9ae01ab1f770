import ErrandLoopback
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LimitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let request: String
        let status: String
        var testDescription: String { status }
    }

    @Test(arguments: [
        Row(request: "GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\n", status: "431"),
        Row(request: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 67108865\r\n\r\n", status: "413"),
        Row(request: "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: br\r\n\r\n", status: "501"),
        Row(
            request: "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
            status: "400"),
    ])
    func `a refused request gets its status while the client keeps sending`(row: Row) async throws {
        try await LoopbackServer.withServer { _ in
            .text("not reached")
        } _: { server in
            let port = server.port
            let reply = try await blocking {
                let client = try SocketClient(port: port)
                try client.send(row.request)
                for _ in 0..<20 { try client.send([UInt8](repeating: 65, count: 50_000)) }
                client.finishSending()
                return try client.readToEnd()
            }
            #expect(reply.hasPrefix("HTTP/1.1 \(row.status) "))
            #expect(server.statistics.requests == 0)
        }
    }

    @Test func `clients wait when the limit of open connections is reached`() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.limits.openConnections = 2
        try await LoopbackServer.withServer(configuration: configuration) { request in
            .text("\(request.connectionNumber)")
        } _: { server in
            let port = server.port
            let clients = try await blocking { try (0..<2).map { _ in try SocketClient(port: port) } }
            for client in clients { try client.get("/") }
            _ = try await blocking { try clients.map { try $0.reply() } }
            let third = try await blocking { try SocketClient(port: port) }
            try third.get("/")
            try clients[0].get("/")
            #expect(try await clients[0].nextReply().hasSuffix(" 1"))
            #expect(server.connectionCount == 2)
            clients[1].finishSending()
            #expect(try await third.nextReply() == "HTTP/1.1 200 OK | 3")
        }
    }

    @Test func `an idle connection is closed and a busy connection stays open`() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.limits.idleTimeout = .milliseconds(300)
        let gate = Gate()
        try await LoopbackServer.withServer(configuration: configuration) { _ in
            .later {
                await gate.wait(); return .text("done")
            }
        } _: { server in
            let port = server.port
            let busy = try await blocking {
                let client = try SocketClient(port: port)
                try client.get("/")
                return client
            }
            #expect(try await SocketClient.response(to: "GET / HT", port: port) == "")
            gate.open()
            #expect(try await busy.nextReply() == "HTTP/1.1 200 OK | done")
        }
    }

    @Test func `the most recent requests are recorded up to the limit`() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 2
        try await LoopbackServer.withServer(configuration: configuration) { _ in
            .status(204)
        } _: { server in
            let port = server.port
            try await blocking {
                let client = try SocketClient(port: port)
                for number in 1...5 {
                    try client.send("PUT /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n\(number)")
                }
                for _ in 1...5 { _ = try client.reply() }
            }
            #expect(server.requests.map(\.target) == ["/4", "/5"])
            #expect(server.requests.map(\.body) == [Data("4".utf8), Data("5".utf8)])
        }
    }
}
