import ErrandLoopback
import Foundation
import TestSupport
import Testing

@Suite struct RequestParserTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        let wire: String
        let expected: [String]
        var testDescription: String { wire.debugDescription }
    }

    static let accepted: [Accepted] = [
        .init(wire: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", expected: ["GET / 1.1 [Host=a] ''"]),
        .init(wire: "\r\n\r\nGET /a?b=c HTTP/1.0\r\n\r\n", expected: ["GET /a?b=c 1.0 [] ''"]),
        .init(
            wire: "PUT /x HTTP/1.1\r\nhost:a\r\nContent-Length: \t 5 \t\r\n\r\nhello",
            expected: ["PUT /x 1.1 [host=a,Content-Length=5] 'hello'"]),
        .init(
            wire: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3;x=\"y\"\r\nabc\r\n0002\r\nde\r\n0\r\n\r\n",
            expected: ["POST / 1.1 [Host=a,Transfer-Encoding=Chunked] 'abcde'"]),
        .init(
            wire: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1\r\na\r\n0\r\nSum: 9\r\nB: \r\n\r\n",
            expected: ["POST / 1.1 [Host=a,Transfer-Encoding=chunked] 'a' [Sum=9,B=]"]),
        .init(
            wire: "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nxGET /3 HTTP/1.1\r\nHost:\r\n\r\n",
            expected: ["GET /1 1.1 [Host=a] ''", "POST /2 1.1 [Host=a,Content-Length=1] 'x'", "GET /3 1.1 [Host=] ''"]),
        .init(
            wire: "GET http://a/b HTTP/1.1\r\nHost: a\r\nX: 1\r\nx: 2\r\n\r\n",
            expected: ["GET http://a/b 1.1 [Host=a,X=1,x=2] ''"]),
        .init(wire: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", expected: ["OPTIONS * 1.1 [Host=a] ''"]),
        .init(wire: "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", expected: ["CONNECT a:443 1.1 [Host=a] ''"]),
        .init(wire: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\npart", expected: []),
    ]

    @Test(arguments: accepted)
    func `requests are parsed equally at every split of their bytes`(row: Accepted) {
        let bytes = Array(row.wire.utf8)
        for split in 0...bytes.count {
            #expect(outcomes(of: [bytes[..<split], bytes[split...]]) == row.expected, "split at \(split)")
        }
        #expect(outcomes(of: bytes.indices.map { bytes[$0...$0] }) == row.expected, "byte by byte")
    }

    struct Rejected: Sendable, CustomTestStringConvertible {
        let wire: String
        let status: Int
        var testDescription: String { "\(status): \(wire.debugDescription)" }

        init(_ status: Int, _ wire: String) {
            self.status = status
            self.wire = wire
        }

        static func headers(_ status: Int, _ headers: String) -> Self {
            .init(status, "POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n")
        }

        static func chunked(_ status: Int, _ body: String) -> Self {
            .init(status, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
        }
    }

    static let rejected: [Rejected] = [
        .init(400, "GET / HTTP/1.1\nHost: a\n\n"), .init(400, "GET  HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(400, "GET /\r\nHost: a\r\n\r\n"), .init(400, "G\u{01}T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(400, "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"), .init(400, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(400, "GET *a HTTP/1.1\r\nHost: a\r\n\r\n"), .init(400, "GET / http/1.1\r\nHost: a\r\n\r\n"),
        .init(400, "GET / HTTP/1.10\r\nHost: a\r\n\r\n"), .init(400, "GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(400, "GET / HTTP/1.1\r\n\r\n"), .init(400, " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), .headers(400, "Host: b"),
        .headers(400, "A: b\r\n folded"), .headers(400, "A : b"), .headers(400, ": b"), .headers(400, "A"),
        .headers(400, "A: b\rc"), .headers(400, "A: b\u{00}c"), .headers(400, "A: b\u{7f}"),
        .headers(400, "Content-Length: -1"), .headers(400, "Content-Length: +1"), .headers(400, "Content-Length:"),
        .headers(400, "Content-Length: 1, 1"), .headers(400, "Content-Length: 1\r\nContent-Length: 1"),
        .headers(400, "Content-Length: 0x1"), .headers(413, "Content-Length: 1001"),
        .headers(413, "Content-Length: 99999999999999999999999"),
        .headers(400, "Content-Length: 1\r\nTransfer-Encoding: chunked"),
        .headers(400, "Transfer-Encoding: chunked\r\nContent-Length: 1"),
        .headers(501, "Transfer-Encoding: gzip"), .headers(501, "Transfer-Encoding: gzip, chunked"),
        .headers(501, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        .headers(501, "Transfer-Encoding:"), .headers(417, "Expect: miracles"),
        .init(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .chunked(400, "\r\n"), .chunked(400, "g\r\n"), .chunked(400, "-1\r\n"), .chunked(400, "0x1\r\n"),
        .chunked(400, "1\na\r\n"), .chunked(400, "1\r\nab\r\n"), .chunked(400, "1\r\na\n"),
        .chunked(400, "1 1\r\n"), .chunked(400, "1;\u{01}\r\n"), .chunked(413, "3e9\r\n"),
        .chunked(413, "ffffffffffffffffffffffffffff\r\n"), .chunked(413, "7fffffffffffffff\r\n"),
        .chunked(413, "300\r\n\(String(repeating: "a", count: 0x300))\r\n300\r\n"),
        .chunked(400, String(repeating: "0", count: 5000)), .chunked(400, "0\r\nA b\r\n\r\n"),
        .chunked(400, "0\r\nA: b\n\r\n"),
        .chunked(431, "0\r\nA: \(String(repeating: "b", count: 2000))"),
        .init(431, "GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "b", count: 2000))\r\n\r\n"),
        .init(431, "GET /\(String(repeating: "b", count: 2000))"),
    ]

    @Test(arguments: rejected)
    func `invalid requests are rejected at every split of their bytes`(row: Rejected) {
        let bytes = Array(row.wire.utf8)
        #expect(outcomes(of: [bytes[...]]) == ["rejected \(row.status)"])
        #expect(outcomes(of: bytes.indices.map { bytes[$0...$0] }) == ["rejected \(row.status)"])
    }

    @Test func `100-continue is sent once and only before the body`() {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-Continue\r\n\r\n"
        let request = "PUT / 1.1 [Host=a,Content-Length=1,Expect=100-Continue] 'x'"
        #expect(outcomes(of: [ArraySlice(head.utf8), ArraySlice("x".utf8)]) == ["continue", request])
        #expect(outcomes(of: [ArraySlice((head + "x").utf8)]) == [request])
    }

    @Test func `a discarded body is counted but not stored`() throws {
        var parser = RequestParser(headerLimit: 1_500, bodyLimit: 1_000, keepsBodies: false)
        Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8).withUnsafeBytes { parser.append($0) }
        guard case .request(let message) = parser.next() else { throw Unexpected() }
        let request = LoopbackRequest(message, connectionNumber: 1, requestNumber: 1)
        #expect(request.body.isEmpty && request.bodyByteCount == 5)
    }

    @Test func `a hundred thousand empty lines are skipped without memory growth or recursion`() {
        let lines = Array(String(repeating: "\r\n", count: 100_000).utf8)
        let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(outcomes(of: [lines[...], request[...]]) == ["GET / 1.1 [Host=a] ''"])
    }

    @Test func `random bytes never trap`() {
        var random = SplitMix(state: 42)
        let text = "GET / HTTP/1.1\r\n\r\n: 0aContent-Length:5Transfer-Encoding:chunked;"
        let alphabet = Array(text.utf8) + [0, 255, 128]
        for _ in 0..<TestEnvironment.rounds(300, heavy: 2_000) {
            let count = Int.random(in: 0..<200, using: &random)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let body = Array("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + bytes
            #expect(outcomes(of: [bytes[...]]) == outcomes(of: bytes.indices.map { bytes[$0...$0] }))
            #expect(outcomes(of: [body[...]]) == outcomes(of: body.indices.map { body[$0...$0] }))
        }
    }

    private struct Unexpected: Error {}

    private func outcomes(of pieces: [ArraySlice<UInt8>]) -> [String] {
        var parser = RequestParser(headerLimit: 1_500, bodyLimit: 1_000, keepsBodies: true)
        var outcomes: [String] = []
        for piece in pieces {
            piece.withUnsafeBytes { parser.append($0) }
            while let outcome = outcome(of: parser.next()) { outcomes.append(outcome) }
        }
        return outcomes
    }

    private func outcome(of event: RequestParser.Event) -> String? {
        switch event {
        case .needsMoreBytes: return nil
        case .expectsContinue: return "continue"
        case .rejected(let rejection): return "rejected \(rejection.status)"
        case .request(let message):
            let request = LoopbackRequest(message, connectionNumber: 1, requestNumber: 1)
            let version = "\(request.version.major).\(request.version.minor)"
            let body = String(decoding: request.body, as: UTF8.self)
            let trailers = request.trailers.isEmpty ? "" : " \(text(request.trailers))"
            return "\(request.method) \(request.target) \(version) \(text(request.headers)) '\(body)'\(trailers)"
        }
    }

    private func text(_ headers: [LoopbackHeader]) -> String {
        "[" + headers.map { "\($0.name)=\($0.value)" }.joined(separator: ",") + "]"
    }
}
