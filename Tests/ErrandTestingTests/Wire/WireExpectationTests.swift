import Errand
import ErrandTesting
import Testing

/// Checks the reference parser with handwritten rows.
@Suite struct WireExpectationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let bytes: Data
        var method = HTTPMethod.get
        var isReset = false
        /// The bodies that may be returned. Empty if the client must fail.
        var bodies: [Data] = []
        var testDescription: String { String(decoding: bytes.prefix(120), as: UTF8.self).debugDescription }

        init(_ text: String, _ bodies: String..., method: HTTPMethod = .get, isReset: Bool = false) {
            self.init(Data(text.utf8), bodies.map { Data($0.utf8) })
            self.method = method
            self.isReset = isReset
        }

        init(_ bytes: Data, _ bodies: [Data]) {
            self.bytes = bytes
            self.bodies = bodies
        }

        init(chunks: String, _ bodies: String...) {
            self.init(
                Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)".utf8),
                bodies.map { Data($0.utf8) })
        }

        init(length: String, body: String, _ bodies: String...) {
            self.init(
                Data("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(body)".utf8), bodies.map { Data($0.utf8) })
        }

        init(coded coding: String, _ bytes: [UInt8], _ bodies: String...) {
            self.init(
                Data("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n".utf8) + Data(bytes),
                bodies.map { Data($0.utf8) })
        }

        var expectation: WireExpectation { WireExpectation(of: bytes, method: method, isReset: isReset) }
    }

    static let plain: [Row] = [
        Row(length: "3", body: "abc", "abc"), Row(length: "0", body: "", ""), Row(length: "003", body: "abc", "abc"),
        Row("HTTP/1.1 200 \r\n\r\nuntil close", "until close"), Row("HTTP/1.0 404 Not Found\r\n\r\n", ""),
        Row("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", ""),
        Row("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", ""),
        Row("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "", method: .head),
        Row("HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length:1\r\n\r\nx", "x"),
        Row(chunks: "3\r\nabc\r\n0\r\n\r\n", "abc"), Row(chunks: "0\r\n\r\n", ""),
        Row(chunks: "1;a=b\r\na\r\n00B ; q=\"x\"\r\nbcdefghijkl\r\n0;x\r\nX-Sum: 1\r\n\r\n", "abcdefghijkl"),
        Row(coded: "gzip", stored, "hello stored"), Row(coded: "X-GZIP", stored, "hello stored"),
        Row(coded: "deflate", storedZlib, "hello stored"), Row(coded: "none, gzip", stored, "hello stored"),
    ]

    @Test(arguments: plain)
    func `valid responses must be accepted`(row: Row) {
        #expect(row.expectation.mustSucceed, "\(row.expectation)")
        #expect(row.expectation.responses.map(\.body) == row.bodies)
    }

    static let flaws: [Row] = [
        Row(""), Row("HTTP/1.1 200 OK\r\n"), Row("HTTP/1.1 200 OK\r\nX: y\r\n"), Row("HTTP/1.1 200 OK\r\nX: y"),
        Row("hello\r\n\r\n"), Row("HTTP/1.1 20 OK\r\n\r\n"), Row("HTTP/1.1 2000 OK\r\n\r\n"), Row("ICY 200 OK\r\n\r\n"),
        Row("HTTP/1.1 103 Early Hints\r\n\r\n"), Row("HTTP/1.1 204 No\r\nX: y\r\n"),
        Row(length: "4", body: "abc"), Row(length: "", body: ""), Row(length: "-3", body: "abc"),
        Row(length: "+3", body: "abc"), Row(length: "3, 4", body: "abcd"), Row(length: "3,", body: "abc"),
        Row(length: "0x3", body: "abc"), Row(length: "9223372036854775807", body: "abc"),
        Row(length: "99999999999999999999999", body: "abc"), Row(length: "3\r\nContent-Length: 0", body: "abc"),
        Row(chunks: ""), Row(chunks: "3\r\nabc\r\n"), Row(chunks: "3\r\nabc\r\n0"),
        Row(chunks: "5\r\nabc\r\n0\r\n\r\n"),
        Row(chunks: "3\r\nabc0\r\n\r\n"), Row(chunks: "zz\r\n"), Row(chunks: "\r\n"), Row(chunks: "-1\r\n\r\n"),
        Row(chunks: "FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n"), Row(chunks: "2\r\nabc\r\n0\r\n\r\n"),
        Row("HTTP/1.1 200 OK\r\nTransfer-Encoding: x, chunked\r\n\r\n0\r\n\r\n"),
        Row("HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        Row("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc"),
        Row("HTTP/1.1 200 OK\r\n\r\nuntil reset", isReset: true),
        Row(coded: "gzip", Array("plain".utf8)), Row(coded: "gzip", stored.dropLast()),
        Row(coded: "gzip", Array(stored.prefix(20))),
        Row(coded: "gzip", stored.changed(at: 20)), Row(coded: "gzip", stored.changed(at: stored.count - 2)),
        Row(coded: "gzip", stored + stored.dropLast(3)), Row(coded: "gzip, gzip", stored),
        Row(coded: "deflate", stored),
        Row(coded: "deflate", storedZlib.dropLast()), Row(coded: "deflate", storedZlib.changed(at: 9)),
    ]

    @Test(arguments: flaws)
    func `incomplete and invalid responses must fail`(row: Row) {
        #expect(row.expectation.flaw != nil && row.expectation.responses.isEmpty, "\(row.expectation)")
    }

    static let odd: [Row] = [
        Row("HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx", "x"), Row("HTTP/2 200 OK\r\n\r\nx", "x"),
        Row("HTTP/1.1 200 OK\nContent-Length: 1\n\nx", "x"), Row("\r\nHTTP/1.1 200 OK\r\n\r\n", ""),
        Row(length: "3, 3", body: "abc", "abc"), Row(length: "3\r\nContent-Length: 3", body: "abc", "abc"),
        Row(length: "2", body: "abc", "ab"), Row(length: "3\r", body: "abc", "abc"),
        Row(length: "1\r\n ", body: "abc", "a"), Row("HTTP/1.1 200 OK\r\nX\u{0}: y\r\n\r\nabc", "abc"),
        // The header is used, or the line is ignored.
        Row("HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nabc", "abc", "a"),
        Row("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\nContent-Length: 1\r\n\r\nabc", "abc", "a"),
        Row("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"),
        Row("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"),
        Row(chunks: "3\nabc\n0\n\n", "abc"), Row(chunks: "3 \r\nabc\r\n0\r\n\r\n", "abc"),
        Row(chunks: "3\r\nabc\r\n0\r\n", "abc"), Row(chunks: "3\r\nabc\r\n0\r\nno field\r\n\r\n", "abc"),
        Row(coded: "x-unknown", Array("abc".utf8), "abc"), Row(coded: "gzip", [], ""),
        Row(coded: "gzip", stored + [0x78], "hello stored"),
        Row("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n1\r\nx\r\n0\r\n\r\n", "x"),
    ]

    @Test(arguments: odd)
    func `ambiguous responses may fail or return the framed body`(row: Row) {
        #expect(!row.expectation.mustSucceed)
        #expect(row.expectation.responses.map(\.body) == row.bodies, "\(row.expectation)")
    }

    @Test func `the content consists of all gzip members`() {
        let row = Row(coded: "gzip", Self.stored + Self.stored, "hello storedhello stored")
        #expect(row.expectation.responses.map(\.body) == row.bodies)
    }

    /// The output of zlib for `hello stored` at level 0.
    static let stored: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 4, 3, 1, 12, 0, 243, 255, 104, 101, 108, 108, 111, 32, 115, 116, 111, 114, 101, 100,
        142, 163, 115, 36, 12, 0, 0, 0,
    ]
    static let storedZlib: [UInt8] = [
        120, 1, 1, 12, 0, 243, 255, 104, 101, 108, 108, 111, 32, 115, 116, 111, 114, 101, 100, 30, 213, 4, 198,
    ]
}

extension [UInt8] {
    fileprivate func changed(at index: Int) -> [UInt8] {
        var copy = self
        copy[index] ^= 1
        return copy
    }
}
