import Errand
import ErrandLoopback
import Testing

@Suite(.timeLimit(.minutes(1))) struct URLSessionResponseIntegrationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        var method = "GET"
        let status: Int
        var body = ""
        var header: (String, String)?
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "redirect", reply: .text("moved", status: 302).header("Location", "/x"), status: 302, body: "moved",
            header: ("Location", "/x")),
        Row(name: "307 to nowhere", reply: .status(307), status: 307),
        Row(name: "308", reply: .text("", status: 308).header("Location", "/x"), status: 308),
        Row(
            name: "Basic", reply: .text("no", status: 401).header("WWW-Authenticate", #"Basic realm="x""#), status: 401,
            body: "no"),
        Row(
            name: "Bearer", reply: .text("no", status: 401).header("WWW-Authenticate", "Bearer"), status: 401,
            body: "no"
        ),
        Row(
            name: "Digest", reply: .text("no", status: 401).header("WWW-Authenticate", #"Digest realm="x", nonce="n""#),
            status: 401, body: "no"),
        Row(name: "HEAD", reply: .text("12345"), method: "HEAD", status: 200, header: ("Content-Length", "5")),
        Row(name: "204", reply: .status(204), status: 204),
        Row(name: "304", reply: .status(304), status: 304),
        Row(name: "1xx first", reply: .text("x").interim(103).interim(102), status: 200, body: "x"),
        Row(name: "chunks", reply: .chunks([Data("ab".utf8), Data("c".utf8)]), status: 200, body: "abc"),
        Row(name: "closing", reply: .text("x").closingConnection(), status: 200, body: "x"),
        Row(name: "no length", reply: .raw("HTTP/1.1 200 OK\r\n\r\nuntil close"), status: 200, body: "until close"),
        Row(
            name: "identity",
            reply: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nuntil close"), status: 200,
            body: "until close"),
        Row(name: "odd status", reply: .text("x", status: 599), status: 599, body: "x"),
    ]

    @Test(arguments: rows)
    func `every status is a response`(row: Row) async throws {
        try await withServer { _ in
            row.reply
        } _: { server, session in
            let response = try await session.send(request(server, "/", row.method) { $0.redirects = .manual })
            #expect(response.head.status == row.status)
            #expect(try await response.body.collect() == Data(row.body.utf8))
            if let (name, value) = row.header { #expect(response.head.headers[name] == value) }
        }
    }

    struct Head: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        var testDescription: String { name }
    }

    static let heads: [Head] = [
        Head(name: "no headers", reply: .raw("HTTP/1.1 204 No Content\r\n\r\n")),
        Head(name: "JSON", reply: .json("[]").header("ETag", "x").header("cache-control", "no-store")),
        Head(
            name: "named text",
            reply: .text("x", status: 404).header("Content-Disposition", #"attachment; filename="a.txt""#)),
        Head(name: "lines of one name", reply: .text("x").header("Via", "1.1 a").header("via", "1.1 b")),
        Head(name: "names that differ in case", reply: .text("x").header("X-A", "1").header("x-a", "2")),
    ]

    @Test(arguments: heads)
    func `the platform's response equals a constructed one and is cached`(row: Head) async throws {
        try await withServer { _ in
            row.reply
        } _: { server, session in
            let head = try await session.send(request(server)).head
            let kept = try head.httpURLResponse()
            let made = try ResponseHead(status: head.status, headers: head.headers, url: head.url).httpURLResponse()
            // Whether the platform or the adapter created it, the same instance is returned.
            #expect(try head.httpURLResponse() === kept)
            #expect(kept.statusCode == made.statusCode && kept.url == made.url)
            #expect(kept.allHeaderFields as? [String: String] == made.allHeaderFields as? [String: String])
            #expect(kept.mimeType == made.mimeType && kept.textEncodingName == made.textEncodingName)
            #expect(kept.expectedContentLength == made.expectedContentLength)
            #expect(kept.suggestedFilename == made.suggestedFilename)
            #expect(ResponseHead(status: head.status, headers: head.headers, url: head.url) == head)
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        let code: ServiceError.Code
        var idle = Duration.seconds(30)
        var testDescription: String { name }
    }

    // Not included, because URLSession on Linux ends the process: trailers, a truncated header section, and a
    // Content-Length of 2^63 - 1.
    static let faults: [Fault] = [
        Fault(name: "close", reply: .closeWithoutReply, code: .connectionLost),
        Fault(name: "reset", reply: .reset, code: .connectionLost),
        Fault(name: "body cut", reply: .text("0123456789").truncatingBody(after: 4), code: .connectionLost),
        Fault(
            name: "body reset", reply: .text("0123456789").truncatingBody(after: 4, then: .reset), code: .connectionLost
        ),
        Fault(name: "garbage", reply: .raw("what is this\r\n\r\n"), code: .badResponse),
        Fault(
            name: "bad chunk", reply: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
            code: .badResponse),
        Fault(
            name: "chunks cut", reply: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"),
            code: .connectionLost),
        Fault(
            name: "bare CR", reply: .raw("HTTP/1.1 200 OK\r\nX-A: 1\rX-Forged: 2\r\nContent-Length: 0\r\n\r\n"),
            code: .badResponse),
        Fault(
            name: "NUL", reply: .raw("HTTP/1.1 200 OK\r\nX-A: 1\u{0}2\r\nContent-Length: 0\r\n\r\n"),
            code: .badResponse),
        Fault(name: "length -1", reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), code: .badResponse),
        Fault(name: "redirect to nowhere with a body", reply: .text("moved", status: 302), code: .badResponse),
        Fault(name: "not gzip", reply: .text("plain").header("Content-Encoding", "gzip"), code: .badResponse),
        Fault(name: "stall", reply: .stall, code: .timeout, idle: .milliseconds(200)),
        Fault(
            name: "slow header section", reply: .text("x").slow(bytesPerStep: 1, interval: .seconds(5)), code: .timeout,
            idle: .milliseconds(200)),
        Fault(name: "too large", reply: .text(String(repeating: "x", count: 70_000)), code: .bodyTooLarge),
    ]

    @Test(arguments: faults)
    func `every fault has an error code`(row: Fault) async throws {
        try await withServer { _ in
            row.reply
        } _: { server, session in
            let request = request(server) { options in
                options.idleTimeout = row.idle
                options.delivery = .buffered(upTo: 65_536)
            }
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.code == row.code, "\(error.map(String.init(describing:)) ?? "")")
        }
    }
}
