import Errand
import Testing

@Suite struct MessageFramingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var method: HTTPMethod = .get
        var status = 200
        var headers: HeaderFields = [:]
        /// `nil` if the header section is rejected.
        var framing: MessageFraming?

        init(_ headers: HeaderFields, _ framing: MessageFraming?, _ method: HTTPMethod = .get, _ status: Int = 200) {
            (self.headers, self.framing, self.method, self.status) = (headers, framing, method, status)
        }

        var testDescription: String {
            "\(method) \(status) \(headers.map { "\($0.name): \($0.value)" }.joined(separator: ", "))"
        }
    }

    /// The cases of RFC 9112, section 6.3, in order.
    @Test(arguments: [
        Row(["Content-Length": "5"], MessageFraming.none, .head),
        Row(["Transfer-Encoding": "chunked"], MessageFraming.none, .head),
        Row(["Content-Length": "5"], MessageFraming.none, .get, 204),
        Row(["Content-Length": "5"], MessageFraming.none, .get, 304),
        Row(["Content-Length": "5"], MessageFraming.none, .get, 101),
        Row(["Content-Length": "5", "Transfer-Encoding": "gzip"], MessageFraming.none, .get, 304),
        Row(["Content-Length": "0"], .length(0), .get, 205),
        Row(["Transfer-Encoding": "chunked"], .chunked),
        Row(["transfer-encoding": "Chunked"], .chunked),
        Row(["Transfer-Encoding": "chunked", "Content-Length": "5"], nil),
        Row(["Content-Length": "5", "Transfer-Encoding": "chunked"], nil),
        Row(["Transfer-Encoding": "gzip, chunked"], nil),
        Row(["Transfer-Encoding": "chunked, gzip"], nil),
        Row(["Transfer-Encoding": "identity"], .untilClose),
        Row(["transfer-encoding": "Identity"], .untilClose),
        Row(["Transfer-Encoding": "identity"], MessageFraming.none, .head),
        Row(["Transfer-Encoding": "identity", "Content-Length": "5"], nil),
        Row(["Content-Length": "5", "Transfer-Encoding": "identity"], nil),
        Row(["Transfer-Encoding": "identity", "Content-Length": "0"], nil),
        Row(["Transfer-Encoding": "identity", "transfer-encoding": "identity"], nil),
        Row(["Transfer-Encoding": "identity", "transfer-encoding": "chunked"], nil),
        Row(["Transfer-Encoding": "identity, chunked"], nil),
        Row(["Transfer-Encoding": "chunked, identity"], nil),
        Row(["Transfer-Encoding": "identity;q=1"], nil),
        Row(["Transfer-Encoding": "identityx"], nil),
        Row(["Transfer-Encoding": ""], nil),
        Row(["Transfer-Encoding": "chunked", "transfer-encoding": "chunked"], nil),
        Row(["Transfer-Encoding": "\u{0B}chunked"], nil),
        Row(["Transfer-Encoding": "chunked;a=b"], nil),
        Row(["Content-Length": "5"], .length(5)),
        Row(["Content-Length": "005"], .length(5)),
        Row(["Content-Length": "9223372036854775807"], .length(.max)),
        Row(["Content-Length": "5", "content-length": "5"], .length(5)),
        Row(["Content-Length": "5, 5,5"], .length(5)),
        Row(["Content-Length": "5, 05"], .length(5)),
        Row(["Content-Length": "5", "content-length": "6"], nil),
        Row(["Content-Length": "5, 6"], nil),
        Row(["Content-Length": "5, "], nil),
        Row(["Content-Length": ",5"], nil),
        Row(["Content-Length": ""], nil),
        Row(["Content-Length": "+5"], nil),
        Row(["Content-Length": "-5"], nil),
        Row(["Content-Length": "5.0"], nil),
        Row(["Content-Length": "5 5"], nil),
        Row(["Content-Length": "0x5"], nil),
        Row(["Content-Length": "٥"], nil),
        Row(["Content-Length": "9223372036854775808"], nil),
        Row(["Content-Length": "99999999999999999999999999"], nil),
        Row(["Content-Length": "x"], nil, .head),
        Row(["Content-Length": "5, 6"], nil, .get, 304),
        Row([:], .untilClose),
        Row([:], .untilClose, .get, 205),
        Row([:], MessageFraming.none, .get, 204),
    ])
    func `the body length is determined according to RFC 9112`(row: Row) throws {
        var head = try MessageHead(Array("HTTP/1.1 \(row.status)\r\n\r\n".utf8))
        head.headers = row.headers
        guard let framing = row.framing else {
            let error = #expect(throws: ServiceError.self) { try MessageFraming(head, method: row.method) }
            #expect(error?.code == .badResponse)
            return
        }
        #expect(try MessageFraming(head, method: row.method) == framing)
    }
}
