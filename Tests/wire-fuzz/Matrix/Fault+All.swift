import Errand
import ErrandLoopback

extension Fault {
    static let all: [Fault] = endings + heads + bodies + waits + redirects + connections

    private static let head = "HTTP/1.1 200 OK\r\n"

    static let endings: [Fault] = [
        Fault("refused", .error(.connection)) { _ in .status(200) }.with { $0.isServed = false },
        Fault("close before the response", .error(.connectionLost)) { _ in .closeWithoutReply },
        Fault("reset before the response", .error(.connectionLost)) { _ in .reset },
        Fault("close in the header section", .error(.connectionLost), .error(.badResponse), bytes: head + "X-A: 1\r\n"),
        Fault("close after the status line", .error(.connectionLost), .error(.badResponse), bytes: head),
        Fault("reset in the body", .error(.connectionLost)) { _ in
            .text("0123456789").truncatingBody(after: 4, then: .reset)
        },
        Fault("short body", .error(.connectionLost), bytes: head + "Content-Length: 10\r\n\r\n0123"),
        Fault(
            "close in a chunk", .error(.connectionLost), .error(.badResponse),
            bytes: head + "Transfer-Encoding: chunked\r\n\r\na\r\n0123"),
    ]

    static let heads: [Fault] = [
        Fault("garbage status line", .error(.badResponse), bytes: "what is this\r\n\r\n"),
        Fault("100 kB line", .response(200, "x"), .error(.badResponse)) { _ in
            .text("x").header("X-Long", String(repeating: "v", count: 100_000))
        },
        Fault("300 kB line", .response(200, "x"), .error(.badResponse)) { _ in
            .text("x").header("X-Long", String(repeating: "v", count: 300_000))
        },
        Fault(
            "folded value", .response(200, "x"), .error(.badResponse),
            bytes: head + "X-Folded: a\r\n b\r\nContent-Length: 1\r\n\r\nx"),
        Fault(
            "CR in a value", .response(200, "x"), .error(.badResponse),
            bytes: head + "X-Bare: a\rX-Forged: 1\r\nContent-Length: 1\r\n\r\nx"),
        Fault(
            "NUL in a value", .response(200, "x"), .error(.badResponse),
            bytes: head + "X-Nul: a\u{0}b\r\nContent-Length: 1\r\n\r\nx"),
        // libcurl 7.88 uses freed memory here if its handle was used before.
        Fault("folded first line, every second time", .response(200, "x"), .error(.badResponse)) { request in
            let fold = request.path == "/prelude" ? "" : " folded: 1\r\n"
            return .raw("HTTP/1.1 200 OK\r\n\(fold)X-A: 1\r\nContent-Length: 1\r\n\r\nx", then: nil)
        }.with {
            $0.prelude = .call
            $0.rounds = 20
            $0.bound = .seconds(3)
        },
        Fault("no space after a colon", .response(200, "x"), bytes: head + "X-A:1\r\nContent-Length:1\r\n\r\nx"),
        Fault(
            "no reason", .response(200, "x"), .error(.badResponse), bytes: "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx"),
        Fault("interim responses first", .response(200, "x")) { _ in .text("x").interim(103).interim(102) },
        Fault("Basic challenge", .response(401, "no")) { _ in
            .text("no", status: 401).header("WWW-Authenticate", #"Basic realm="x""#)
        },
    ]

    static let bodies: [Fault] = [
        Fault(
            "bad chunk size", .error(.badResponse),
            bytes: head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n"),
        Fault(
            "chunk without its end", .error(.badResponse),
            bytes: head + "Transfer-Encoding: chunked\r\n\r\n1\r\nx0\r\n\r\n"
        ),
        Fault("endless chunk extension", .error(.badResponse)) { _ in
            let part = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
            let beginning = Data((head + "Transfer-Encoding: chunked\r\n\r\n1;").utf8)
            return .raw([.bytes(beginning)] + Array(repeating: .bytes(part), count: 64) + [.pause(.seconds(5))])
        },
        Fault("trailers", .response(200, "abc")) { _ in
            .chunks([Data("abc".utf8)], trailers: [LoopbackHeader("X-Sum", "1")])
        },
        Fault(
            "two lengths", .error(.badResponse), bytes: head + "Content-Length: 3\r\nContent-Length: 1\r\n\r\nabc"),
        Fault("two lengths in a list", .error(.badResponse), bytes: head + "Content-Length: 3, 1\r\n\r\nabc"),
        Fault("length 2^65", .error(.badResponse), bytes: head + "Content-Length: 36893488147419103232\r\n\r\nabc"),
        Fault("length -1", .error(.badResponse), bytes: head + "Content-Length: -1\r\n\r\nabc"),
        Fault(
            "length 2^63 - 1", .error(.bodyTooLarge), .error(.connectionLost), .error(.badResponse),
            bytes: head + "Content-Length: 9223372036854775807\r\n\r\nabc"),
        Fault("204 with a body", .response(204, ""), bytes: "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc"),
        Fault("HEAD with a length", .response(200, "")) { _ in .text("12345") }.with { $0.method = .head },
        Fault("truncated gzip", .error(.badResponse), .error(.connectionLost)) { _ in
            // `hello` as a stored block, without the checksum and the size after it.
            .data(Data([31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1, 5, 0, 250, 255]) + Data("hello".utf8))
                .header("Content-Encoding", "gzip")
        },
        Fault("gzip, 1 kB to 1 MB, over the limit", .error(.bodyTooLarge)) { _ in
            .data(GzipBomb.bytes(zeros: 1 << 20 + 1)).header("Content-Encoding", "gzip")
        },
        Fault("gzip bomb, 512 kB to 512 MB", .error(.bodyTooLarge)) { _ in
            .data(GzipBomb.bytes(zeros: 512 << 20)).header("Content-Encoding", "gzip")
        }.with { $0.bound = .seconds(1) },
    ]

    static let waits: [Fault] = [
        Fault("silence", .error(.timeout)) { _ in .stall }.with { $0.bound = .seconds(2) },
        Fault("slow header section", .error(.timeout)) { _ in
            .text("x").slow(bytesPerStep: 1, interval: .milliseconds(200))
        }
        .with { $0.bound = .seconds(2) },
        Fault("slow body", .error(.timeout)) { _ in
            let drops = (0..<100).flatMap { _ in
                [LoopbackReply.RawStep.bytes(Data("x".utf8)), .pause(.milliseconds(100))]
            }
            return .raw([.bytes(Data((head + "Content-Length: 100\r\n\r\n").utf8))] + drops)
        }.with { $0.bound = .seconds(2) },
    ]

    static let redirects: [Fault] = [
        Fault("redirect loop", .error(.redirect)) { request in
            .status(302).header("Location", request.path == "/a" ? "/b" : "/a")
        },
        Fault("endless redirects", .error(.redirect)) { request in
            .status(302).header("Location", "/\((Int(request.path.dropFirst()) ?? 0) + 1)")
        },
        Fault("redirect to another host", .response(200, "there")) { request in
            if request.path == "/there" { return .text("there") }
            let port = request["Host"]?.split(separator: ":").last ?? ""
            return .status(307).header("Location", "http://localhost:\(port)/there")
        }.with {
            $0.headers = [("Authorization", "Bearer s3cret"), ("Cookie", "a=s3cret"), ("X-Api-Key", "s3cret")]
            $0.check = { requests in
                let last = requests.last { $0.path == "/there" }
                let taken = ["Authorization", "Cookie", "X-Api-Key"].filter { last?[$0] != nil }
                return taken.isEmpty ? nil : "expected no credentials, found \(taken.joined(separator: ", "))"
            }
        },
    ]

    /// The server closes a kept connection: when the request arrives, or before.
    static let connections: [Fault] = [
        Fault("kept connection ends, GET", .response(200, "x"), .error(.connectionLost), reply: endsSecond).with {
            $0.prelude = .call
        },
        Fault("kept connection ends, POST", .error(.connectionLost), reply: endsSecond).with {
            $0.prelude = .call
            $0.method = .post
            $0.body = "body"
            $0.check = once
        },
        // Unsolicited bytes are not a response (RFC 9112, section 9.2). libcurl 7.88 uses them as the next call's
        // response if it reads only to the end of the body. The pause before the body causes that.
        Fault(
            "forged response after the last one", .response(200, "x"), .error(.connectionLost), .error(.badResponse)
        ) { request in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n".utf8)
            let forged = "xHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign"
            let body = Data((request.path == "/prelude" ? forged : "x").utf8)
            return .raw([.bytes(head), .pause(.milliseconds(20)), .bytes(body)], then: nil)
        }.with {
            $0.prelude = .call
            $0.rounds = 5
        },
        Fault("kept connection ended before, GET", .response(200, "x"), reply: endsAfterPrelude).with {
            $0.prelude = .closedConnection
        },
        Fault(
            "kept connection ended before, POST", .response(200, "x"), .error(.connectionLost), reply: endsAfterPrelude
        ).with {
            $0.prelude = .closedConnection
            $0.method = .post
            $0.body = "body"
            $0.check = once
        },
    ]

    @Sendable private static func endsSecond(_ request: LoopbackRequest) -> LoopbackReply {
        request.requestNumber > 1 ? .closeWithoutReply : .text("x")
    }

    /// The reply itself closes the connection. An idle limit of the server could close it before the first request
    /// arrives.
    @Sendable private static func endsAfterPrelude(_ request: LoopbackRequest) -> LoopbackReply {
        guard request.path == "/prelude" else { return .text("x") }
        let response = Data("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8)
        return .raw([.bytes(response), .pause(.milliseconds(50))], then: .close)
    }

    @Sendable private static func once(_ requests: [LoopbackRequest]) -> String? {
        let count = requests.count { $0.method == "POST" }
        return count > 1 ? "expected one POST request, found \(count)" : nil
    }
}
