import Errand
import ErrandLoopback
import Foundation
import TestSupport
import Testing

/// A request with a secret in every component that can hold one, and servers that repeat the secret. Nothing that is
/// printed about the call may contain it. The fault matrix runs the same check with each of its faults.
@Suite(.timeLimit(.minutes(2))) struct SecretScanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        var isServed = true
        var testDescription: String { name }
    }

    private static let leak = #"{"token":"s3cr3t-7f3a9c","title":"s3cr3t-7f3a9c","password":"s3cr3t-7f3a9c"}"#

    static let rows: [Row] = [
        Row(name: "a success", reply: .json("[]")), Row(name: "no connection", reply: .json("[]"), isServed: false),
        Row(name: "reset before the header section", reply: .reset), Row(name: "closed", reply: .closeWithoutReply),
        Row(name: "no response", reply: .stall), Row(name: "garbage", reply: .raw("garbage s3cr3t-7f3a9c\r\n\r\n")),
        Row(name: "a short body", reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ns3cr")),
        Row(name: "a bad chunk", reply: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")),
        Row(name: "NUL in a value", reply: .raw("HTTP/1.1 200 OK\r\nSet-Cookie: a=s3cr3t-7f3a9c\0\r\n\r\n")),
        Row(name: "a refusal that repeats the secret", reply: .json(leak, status: 400)),
        Row(
            name: "a challenge that repeats the secret",
            reply: .json(leak, status: 401).header("WWW-Authenticate", #"Bearer realm="a", error="s3cr3t-7f3a9c""#)),
        Row(name: "busy", reply: .json(leak, status: 503)), Row(name: "an undecodable body", reply: .json(leak)),
        Row(name: "too large", reply: .data(Data(repeating: 0x61, count: 20_000))),
        Row(
            name: "a redirect that must not be followed",
            reply: .status(302).header("Location", "http://user:s3cr3t-7f3a9c@127.0.0.1/?token=s3cr3t-7f3a9c")),
        Row(
            name: "a redirect loop",
            reply: .status(307).header("Location", "/a?access_token=s3cr3t-7f3a9c&q=1")),
    ]

    @Test(arguments: rows) func `no text about a call contains its secrets`(row: Row) async throws {
        try await LoopbackServer.withServer { _ in
            row.reply
        } _: { server in
            let base = try row.isServed ? server.url : #require(URL(string: "http://127.0.0.1:1"))
            let leaks = await SecretScan(base).leaks(over: PlatformSession.platform)
            #expect(leaks.isEmpty, "\(leaks)")
        }
    }

    @Test func `the scan detects a leak`() {
        struct Telltale: CustomStringConvertible { let description = "sent \(SecretScan.secret)" }
        #expect(SecretScan.leaks(in: SecretScan.texts(Telltale())).isEmpty == false)
    }

    @Test func `an error that contains a request header is redacted`() async throws {
        struct Telltale: APISession {
            func send(_ request: APIRequest) async throws -> APIResponse {
                throw ServiceError(.transport, "sent \(request.head.value(forHTTPHeaderField: "X-Api-Key") ?? "")")
            }
        }
        let base = try #require(URL(string: "http://127.0.0.1:1"))
        #expect(await SecretScan(base).leaks(over: Telltale()) == [])
    }
}
