import ErrandLoopback
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct FaultTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        let received: String
        var isReset = false
        var testDescription: String { name }
    }

    static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    static let hello = LoopbackReply.data(Data("hello".utf8))
    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let rows: [Row] = [
        .init(name: "close without a reply", reply: .closeWithoutReply, received: ""),
        .init(name: "reset", reply: .reset, received: "", isReset: true),
        .init(name: "close in the header section", reply: hello.truncatingHeaders(after: 12), received: "HTTP/1.1 200"),
        .init(name: "close before the header section", reply: hello.truncatingHeaders(after: 0), received: ""),
        .init(
            name: "reset in the header section", reply: hello.truncatingHeaders(after: 1, then: .reset), received: "H",
            isReset: true),
        .init(name: "close before the body", reply: hello.truncatingBody(after: 0), received: head),
        .init(name: "close in the body", reply: hello.truncatingBody(after: 3), received: head + "hel"),
        .init(
            name: "reset in the body", reply: hello.truncatingBody(after: 3, then: .reset), received: head + "hel",
            isReset: true),
        .init(
            name: "close after more bytes than exist", reply: hello.truncatingBody(after: .max),
            received: head + "hello"),
        .init(
            name: "close in a chunk", reply: .chunks([Data("hello".utf8)]).truncatingBody(after: 5),
            received: chunked + "5\r\nhe"),
        .init(
            name: "close in a stream", reply: .stream { try await $0.write("hello") }.truncatingBody(after: 5),
            received: chunked + "5\r\nhe"),
        .init(
            name: "a stream that throws",
            reply: .stream { writer in
                try await writer.write("hello"); throw CancellationError()
            },
            received: chunked + "5\r\nhello\r\n"),
        .init(
            name: "a stream that is too short", reply: .stream(contentLength: 5) { try await $0.write("he") },
            received: head + "he"),
        .init(name: "garbage", reply: .raw("\u{0}\u{1}garbage"), received: "\u{0}\u{1}garbage"),
        .init(
            name: "two lengths, then a reset", reply: .raw("Content-Length: 1\r\nContent-Length: 2", then: .reset),
            received: "Content-Length: 1\r\nContent-Length: 2", isReset: true),
        .init(
            name: "raw bytes with pauses",
            reply: .raw([.bytes(Data("a".utf8)), .pause(.milliseconds(5)), .bytes(Data("b".utf8))]), received: "ab"),
        .init(
            name: "slow response", reply: hello.closingConnection().slow(bytesPerStep: 20, interval: .milliseconds(2)),
            received: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"),
        .init(
            name: "an asynchronous fault", reply: .later { Self.hello.truncatingBody(after: 1) },
            received: head + "h"),
    ]

    @Test(arguments: rows)
    func `the client receives exactly the fault`(row: Row) async throws {
        try await LoopbackServer.withServer { _ in
            row.reply
        } _: { server in
            let port = server.port
            let (received, isReset) = try await blocking {
                let client = try SocketClient(port: port)
                try client.get("/")
                let received = try client.read(count: row.received.utf8.count)
                do {
                    return (received + (try client.readToEnd()), false)
                } catch let failure as SocketClient.Failure where failure.code == ECONNRESET {
                    return (received, true)
                }
            }
            #expect(received == row.received)
            #expect(isReset == row.isReset)
        }
    }

    @Test func `a slow response does not slow down the next one`() async throws {
        try await LoopbackServer.withServer { request in
            request.path == "/slow" ? Self.hello.slow(bytesPerStep: 1, interval: .milliseconds(1)) : .text("fast")
        } _: { server in
            let port = server.port
            let (replies, time) = try await blocking {
                let client = try SocketClient(port: port)
                try client.get("/slow")
                try client.get("/fast")
                let start = ContinuousClock.now
                return ([try client.reply(), try client.reply()], ContinuousClock.now - start)
            }
            #expect(replies == ["HTTP/1.1 200 OK | hello", "HTTP/1.1 200 OK | fast"])
            #expect(time > .milliseconds(Self.head.utf8.count))
        }
    }

    @Test func `a connection stays open after raw bytes`() async throws {
        try await LoopbackServer.withServer { request in
            request.path == "/raw" ? .raw(Self.head + "hello", then: nil) : .text("next")
        } _: { server in
            let port = server.port
            let replies = try await blocking {
                let client = try SocketClient(port: port)
                try client.get("/raw")
                try client.get("/")
                return [try client.reply(), try client.reply()]
            }
            #expect(replies == ["HTTP/1.1 200 OK | hello", "HTTP/1.1 200 OK | next"])
        }
    }
}
