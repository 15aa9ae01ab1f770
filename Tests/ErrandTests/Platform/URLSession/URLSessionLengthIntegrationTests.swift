import Errand
import ErrandLoopback
import ErrandTesting
import Foundation
import Testing

/// The checks of a response's framing by the `URLSession` adapter (RFC 9112, section 6.3).
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: Platform.name == "Linux", "the system verifies the length of a body on Apple platforms"))
struct URLSessionLengthIntegrationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let headers: String
        var body = "0123456789"
        var code: ServiceError.Code?
        var testDescription: String { name }
    }

    private static let ten = "Content-Length: 10\r\n"

    static let rows: [Row] = [
        Row(name: "two lengths", headers: "Content-Length: 10\r\nContent-Length: 4\r\n", code: .badResponse),
        Row(name: "two lengths, the first shorter", headers: "Content-Length: 4\r\n" + ten, code: .badResponse),
        Row(name: "two lengths in a list", headers: "Content-Length: 10, 4\r\n", code: .badResponse),
        Row(name: "one length twice", headers: ten + ten),
        Row(name: "length 2^65", headers: "Content-Length: 36893488147419103232\r\n", code: .badResponse),
        Row(name: "length with a unit", headers: "Content-Length: 10 bytes\r\n", code: .badResponse),
        Row(name: "hexadecimal length", headers: "Content-Length: 0x0a\r\n", body: "", code: .badResponse),
        Row(
            name: "a length and chunks", headers: "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
            body: "3\r\nabc\r\n0\r\n\r\n", code: .badResponse),
        Row(name: "short body", headers: "Content-Length: 11\r\n", code: .connectionLost),
        Row(name: "right length", headers: ten),
        Row(name: "no length", headers: ""),
        Row(name: "chunks", headers: "Transfer-Encoding: chunked\r\n", body: "a\r\n0123456789\r\n0\r\n\r\n"),
    ]

    @Test(arguments: rows, [RequestOptions.Delivery.buffered, .streamed])
    func `a contradictory length is an error`(row: Row, delivery: RequestOptions.Delivery) async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\n\(row.headers)\r\n\(row.body)")
        } _: { server, session in
            let request = request(server) { $0.delivery = delivery }
            guard let code = row.code else {
                let body = try await session.send(request).body.collect()
                #expect(body == Data("0123456789".utf8))
                return
            }
            let error = await #expect(throws: ServiceError.self) { try await session.send(request).body.collect() }
            #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
        }
    }

    struct Stubbed: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: CannedReply
        var method = "GET"
        var code: ServiceError.Code?
        var testDescription: String { name }
    }

    /// A wrong length of a stub is a mistake in the test.
    static let stubs: [Stubbed] = [
        Stubbed(name: "short", reply: .text("four").header("Content-Length", "5"), code: .connectionLost),
        Stubbed(name: "long", reply: .text("four").header("Content-Length", "3"), code: .connectionLost),
        Stubbed(name: "no number", reply: .text("four").header("Content-Length", "four"), code: .badResponse),
        Stubbed(name: "empty", reply: .status(200).header("Content-Length", "5"), code: .connectionLost),
        Stubbed(name: "right", reply: .text("four").header("Content-Length", "4")),
        Stubbed(
            name: "the length before decoding",
            reply: .text("four").header("Content-Length", "30").header("Content-Encoding", "gzip")),
        Stubbed(
            name: "identity", reply: .text("four").header("Content-Length", "5").header("Content-Encoding", "identity"),
            code: .connectionLost),
        Stubbed(name: "HEAD", reply: .text("four").header("Content-Length", "5"), method: "HEAD"),
        Stubbed(name: "204", reply: .status(204).header("Content-Length", "5")),
        Stubbed(name: "304", reply: .status(304).header("Content-Length", "5")),
        Stubbed(
            name: "redirect", reply: .text("moved", status: 302).header("Location", "/x").header("Content-Length", "5")),
        Stubbed(
            name: "challenge",
            reply: .text("four", status: 401).header("WWW-Authenticate", #"Basic realm="x""#).header(
                "Content-Length", "4")),
    ]

    @Test func `the body of a challenge is complete`() async throws {
        let body = Data(repeating: 0x78, count: 1 << 20)
        try await withServer { _ in
            .data(body, status: 401).header("WWW-Authenticate", #"Basic realm="x""#)
        } _: { server, session in
            let response = try await session.send(request(server))
            #expect(response.head.status == 401)
            #expect(try await response.body.collect() == body)
        }
    }

    @Test(arguments: stubs, [RequestOptions.Delivery.buffered, .streamed])
    func `a stub's length must match its body`(row: Stubbed, delivery: RequestOptions.Delivery) async throws {
        let stub = StubSession()
        stub.on(.any, reply: row.reply)
        var head = URLRequest(url: try #require(URL(string: "https://api.test/a")))
        head.httpMethod = row.method
        var options = RequestOptions()
        options.delivery = delivery
        options.redirects = .manual
        let request = APIRequest(head: head, body: .none, options: options)
        guard let code = row.code else {
            _ = try await stub.send(request).body.collect()
            return
        }
        let error = await #expect(throws: ServiceError.self) { try await stub.send(request).body.collect() }
        #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
    }
}
