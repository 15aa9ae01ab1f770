import Errand
import ErrandLoopback
import Foundation
import TestSupport
import Testing

/// A request with a secret in every place that can hold one, through every way to fail: nothing that can be printed of it
/// shows the secret.
@Suite(.timeLimit(.minutes(2))) struct SecretScanTests {
    private static let secret = "s3cr3t-7f3a9c"

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackReply
        var isServed = true
        var testDescription: String { name }
    }

    private static let leak = #"{"token":"s3cr3t-7f3a9c","title":"s3cr3t-7f3a9c","password":"s3cr3t-7f3a9c"}"#

    static let rows: [Row] = [
        Row(name: "an answer", reply: .json("[]")), Row(name: "refused", reply: .json("[]"), isServed: false),
        Row(name: "reset before the head", reply: .reset), Row(name: "closed", reply: .closeWithoutReply),
        Row(name: "silence", reply: .stall), Row(name: "garbage", reply: .raw("garbage s3cr3t-7f3a9c\r\n\r\n")),
        Row(name: "a short body", reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ns3cr")),
        Row(name: "a bad chunk", reply: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")),
        Row(name: "NUL in a value", reply: .raw("HTTP/1.1 200 OK\r\nSet-Cookie: a=s3cr3t-7f3a9c\0\r\n\r\n")),
        Row(name: "a refusal that repeats it", reply: .json(leak, status: 400)),
        Row(
            name: "a challenge that repeats it",
            reply: .json(leak, status: 401).field("WWW-Authenticate", #"Bearer realm="a", error="s3cr3t-7f3a9c""#)),
        Row(name: "busy", reply: .json(leak, status: 503)), Row(name: "what can't be decoded", reply: .json(leak)),
        Row(name: "too large", reply: .data(Data(repeating: 0x61, count: 20_000))),
        Row(
            name: "a redirect that must not be followed",
            reply: .status(302).field("Location", "http://user:s3cr3t-7f3a9c@127.0.0.1/?token=s3cr3t-7f3a9c")),
        Row(
            name: "a redirect in circles",
            reply: .status(307).field("Location", "/a?access_token=s3cr3t-7f3a9c&q=1")),
    ]

    private struct Call: APIHandler {
        let base: URL

        func makeRequest(from input: Void) throws -> URLRequest {
            var request = URLRequest(url: base.appending(path: "a"))
            try setQueryParams(["access_token": secret, "q": "1"], on: &request)
            request.httpMethod = "PUT"
            for name in ["Authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "Idempotency-Key"] {
                request.setValue(name == "Authorization" ? "Bearer \(secret)" : secret, forHTTPHeaderField: name)
            }
            request.setValue("1", forHTTPHeaderField: "Idempotency-Key")
            try setJSONBody(["password": secret, "refresh_token": secret], on: &request)
            return request
        }

        func options(for input: Void) -> RequestOptions {
            var options = RequestOptions()
            options.delivery = .buffered(upTo: 10_000)
            options.idleTimeout = .milliseconds(200)
            options.totalTimeout = .seconds(20)
            return options
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    private final class Log: LogSink {
        let lines = Locked<[String]>([])
        func log(_ line: String, at level: LogLevel) { lines.withLock { $0.append(line) } }
    }

    /// All that a program could print of a value.
    private static func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped, (value as? any Error)?.localizedDescription ?? ""]
    }

    @Test(arguments: rows) func `no text of a call shows its secrets`(row: Row) async throws {
        let log = Log()
        try await LoopbackServer.withServer { _ in
            row.reply
        } _: { server in
            let base = try row.isServed ? server.url : #require(URL(string: "http://127.0.0.1:1"))
            var policy = RetryPolicy()
            policy.attempts = 2
            let session: StandardSession = .standard(
                authorization: AuthorizationLayer(.apiKey(Secret(Self.secret), query: "key"), at: base),
                retry: RetryLayer(policy), over: PlatformSession.platform.intercepted(by: LoggingLayer(log)))
            let call = Call(base: base)
            var texts: [String] = []
            do throws(ServiceError) {
                let loaded = try await APILoader(call, session: session).response(())
                texts += Self.texts(loaded) + Self.texts(loaded.trail) + [loaded.trail.json]
            } catch {
                texts += Self.texts(error) + Self.texts(error.trail) + [error.trail.json, error.reason]
                texts += Self.texts(error.attempts) + (error.request.map { Self.texts($0) } ?? [])
                texts += error.response.map { Self.texts($0) } ?? []
            }
            let request = try APIRequest(call.makeRequest(from: ()), options: call.options(for: ()))
            texts += Self.texts(request) + [request.cURLCommand()] + log.lines.withLock { $0 }
            #expect(!log.lines.withLock { $0.isEmpty })
            for text in texts { #expect(!text.contains(Self.secret), "\(text.prefix(300))") }
        }
    }
}

extension APISession {
    fileprivate func intercepted(by layer: LoggingLayer) -> Wrapped { Wrapped(session: intercepted(by: [layer])) }
}

private struct Wrapped: APISession {
    let session: any APISession
    func send(_ request: APIRequest) async throws -> APIResponse { try await session.send(request) }
}
