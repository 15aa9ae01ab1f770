import ErrandLoopback
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    static let handler: LoopbackServer.Handler = { request in
        switch (request.method, request.path) {
        case ("POST", "/echo"):
            .data(request.body, type: "application/octet-stream").header("X-Sum", request.trailers["sum"] ?? "none")
        case (_, "/whereabouts"): .text("\(request.connectionNumber).\(request.requestNumber)")
        case (_, "/chunks"): .chunks([Data("ab".utf8), Data(), Data("c".utf8)], trailers: [.init("Sum", "3")])
        case (_, "/later"):
            .later {
                await Task.yield(); return .text("later")
            }
        case (_, "/hints"): .text("done").interim(103, [.init("Link", "</a>")])
        case (_, "/counted"): .text("\(request.body.count) of \(request.bodyByteCount)")
        case (_, let path): .text(path)
        }
    }

    @Test func `a connection is reused, and pipelined requests get responses in order`() async throws {
        try await LoopbackServer.withServer(Self.handler) { server in
            let port = server.port
            let replies = try await blocking {
                let (first, second) = (try SocketClient(port: port), try SocketClient(port: port))
                try first.get("/whereabouts")
                var replies = [try first.reply()]
                try second.get("/whereabouts")
                replies.append(try second.reply())
                for target in ["/whereabouts", "/later", "/a", "/later", "/b"] { try first.get(target) }
                for _ in 0..<5 { replies.append(try first.reply()) }
                return replies
            }
            #expect(
                replies.map { $0.replacing("HTTP/1.1 200 OK | ", with: "") } == [
                    "1.1", "2.1", "1.2", "later", "/a", "later", "/b",
                ])
            #expect(server.connectionCount == 2 && server.statistics.requests == 7)
        }
    }

    @Test func `twenty thousand pipelined requests get responses when the client reads late`() async throws {
        try await LoopbackServer.withServer(Self.handler) { server in
            let port = server.port
            let count = try await blocking {
                let client = try SocketClient(port: port)
                let requests = String(repeating: "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", count: 5000)
                for _ in 0..<4 { try client.send(requests) }
                client.finishSending()
                return try client.readToEnd().components(separatedBy: "HTTP/1.1 200 OK").count - 1
            }
            #expect(count == 20_000)
        }
    }

    struct Exchange: Sendable, CustomTestStringConvertible {
        let request: String
        let reply: String
        var testDescription: String { request.debugDescription }
    }

    static let text = "Content-Type: text/plain; charset=utf-8\r\n"
    static let exchanges: [Exchange] = [
        .init(
            request: "GET /a HTTP/1.0\r\n\r\n",
            reply: "HTTP/1.1 200 OK\r\n\(text)Content-Length: 2\r\nConnection: close\r\n\r\n/a"),
        .init(
            request: "HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            reply: "HTTP/1.1 200 OK\r\n\(text)Content-Length: 2\r\nConnection: close\r\n\r\n"),
        .init(
            request: "GET /chunks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "2\r\nab\r\n1\r\nc\r\n0\r\nSum: 3\r\n\r\n"),
        .init(
            request: "GET /chunks HTTP/1.0\r\n\r\n", reply: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc"),
        .init(
            request: "GET /hints HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            reply: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\n\(text)Content-Length: 4\r\nConnection: close\r\n\r\ndone"),
        .init(
            request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "3\r\nabc\r\n0\r\nSum: 6\r\n\r\n",
            reply: "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nX-Sum: 6\r\n"
                + "Content-Length: 3\r\nConnection: close\r\n\r\nabc"),
        .init(
            request: "BAD\r\n\r\n",
            reply: "HTTP/1.1 400 Bad Request\r\n\(text)Content-Length: 0\r\nConnection: close\r\n\r\n"),
    ]

    @Test(arguments: exchanges)
    func `a request gets exactly the expected bytes`(row: Exchange) async throws {
        try await LoopbackServer.withServer(Self.handler) { server in
            let reply = try await SocketClient.response(to: row.request, port: server.port)
            #expect(reply == row.reply)
        }
    }

    @Test func `a client that expects 100-continue gets it before the body`() async throws {
        try await LoopbackServer.withServer(Self.handler) { server in
            let port = server.port
            let (interim, final) = try await blocking {
                let client = try SocketClient(port: port)
                try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
                let interim = try client.read(through: "\r\n\r\n")
                try client.send("hi")
                return (interim, try client.reply())
            }
            #expect(interim == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(final == "HTTP/1.1 200 OK | hi")
        }
    }

    @Test func `a large upload is counted but not stored`() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.bodyPolicy = .discard
        configuration.limits.bodyBytes = 1 << 30
        try await LoopbackServer.withServer(configuration: configuration, Self.handler) { server in
            let port = server.port
            let blocks = TestEnvironment.rounds(20, heavy: 200)
            let reply = try await blocking {
                let client = try SocketClient(port: port)
                let block = [UInt8](repeating: 7, count: 1 << 20)
                try client.send("POST /counted HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<blocks { try client.send(Array("100000\r\n".utf8) + block + Array("\r\n".utf8)) }
                try client.send("0\r\n\r\n")
                return try client.reply()
            }
            #expect(reply == "HTTP/1.1 200 OK | 0 of \(blocks << 20)")
        }
    }
}
