import ErrandLoopback
import ErrandSupport
import Foundation
import Testing

@Suite struct ReplyPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        var isHead = false
        var version = LoopbackRequest.Version.http1_1
        var keepsAlive = true
        var date: String?
        let lines: [String]
        var closes = false
        var testDescription: String { name }
    }

    static let stream = LoopbackReply.stream { _ in }
    static let rows: [Row] = [
        .init(name: "no body", reply: .status(404), lines: ["HTTP/1.1 404 Not Found", "Content-Length: 0"]),
        .init(
            name: "custom reason", reply: .status(200, reason: "Fine"),
            lines: ["HTTP/1.1 200 Fine", "Content-Length: 0"]),
        .init(name: "unknown status", reply: .status(299), lines: ["HTTP/1.1 299 ", "Content-Length: 0"]),
        .init(
            name: "headers keep order and duplicates",
            reply: .json("{}").header("Set-Cookie", "a=1").header("X", "y").header("Set-Cookie", "b=2"),
            lines: [
                "HTTP/1.1 200 OK", "Content-Type: application/json", "Set-Cookie: a=1", "X: y", "Set-Cookie: b=2",
                "Content-Length: 2",
            ]),
        .init(
            name: "no header injection", reply: .status(200, reason: "a\r\nb").header("A\n", "x\r\nB: y\u{0}"),
            lines: ["HTTP/1.1 200 a  b", "A : x  B: y ", "Content-Length: 0"]),
        .init(name: "204 has no length", reply: .status(204), lines: ["HTTP/1.1 204 No Content"]),
        .init(
            name: "304 has no length", reply: .data(Data("x".utf8), status: 304),
            lines: ["HTTP/1.1 304 Not Modified"]),
        .init(name: "101 has no length", reply: .status(101), lines: ["HTTP/1.1 101 Switching Protocols"]),
        .init(
            name: "HEAD keeps the length", reply: .data(Data("hello".utf8)), isHead: true,
            lines: ["HTTP/1.1 200 OK", "Content-Length: 5"]),
        .init(name: "a stream is chunked", reply: stream, lines: ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"]),
        .init(
            name: "a stream of known length has a Content-Length", reply: .stream(contentLength: 7) { _ in },
            lines: ["HTTP/1.1 200 OK", "Content-Length: 7"]),
        .init(
            name: "a stream to HTTP/1.0 ends with the connection", reply: stream, version: .http1_0,
            lines: ["HTTP/1.1 200 OK", "Connection: close"], closes: true),
        .init(
            name: "a persistent HTTP/1.0 connection is announced", reply: .status(200), version: .http1_0,
            lines: ["HTTP/1.1 200 OK", "Content-Length: 0", "Connection: keep-alive"]),
        .init(
            name: "the client's close is confirmed", reply: .status(200), keepsAlive: false,
            lines: ["HTTP/1.1 200 OK", "Content-Length: 0", "Connection: close"], closes: true),
        .init(
            name: "a reply can close the connection", reply: .status(200).closingConnection(),
            lines: ["HTTP/1.1 200 OK", "Content-Length: 0", "Connection: close"], closes: true),
        .init(
            name: "a custom Connection: close closes", reply: .status(200).header("connection", "close"),
            lines: ["HTTP/1.1 200 OK", "connection: close", "Content-Length: 0"], closes: true),
        .init(
            name: "a correct custom length keeps the connection", reply: .text("ab").header("content-length", "2"),
            lines: ["HTTP/1.1 200 OK", "Content-Type: text/plain; charset=utf-8", "content-length: 2"]),
        .init(
            name: "a wrong custom length closes the connection",
            reply: .data(Data("ab".utf8)).header("Content-Length", "3"),
            lines: ["HTTP/1.1 200 OK", "Content-Length: 3", "Connection: close"], closes: true),
        .init(
            name: "a date header", reply: .status(204), date: "now", lines: ["HTTP/1.1 204 No Content", "Date: now"]),
        .init(
            name: "a custom date has precedence", reply: .status(204).header("date", "then"), date: "now",
            lines: ["HTTP/1.1 204 No Content", "date: then"]),
    ]

    @Test(arguments: rows)
    func `the header section announces the body framing and persistence`(row: Row) {
        var context = ReplyContext()
        context.isHead = row.isHead
        context.version = row.version
        context.keepsAlive = row.keepsAlive
        context.date = row.date
        let plan = ReplyPlan(row.reply, in: context)
        #expect(String(decoding: plan.head, as: UTF8.self) == row.lines.joined(separator: "\r\n") + "\r\n\r\n")
        #expect(plan.closes == row.closes)
    }
}
