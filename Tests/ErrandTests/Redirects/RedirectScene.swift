import Errand
import ErrandLoopback
import ErrandSupport
import Testing

/// Two servers, `A` and `B`, that redirect according to a script, and the requests that they received, in order.
///
/// In strings, `{A}` and `{B}` stand for their URLs, `{L}` for the other name of `A`'s host, and `{a}` for `A`'s host
/// and port.
final class RedirectScene: Sendable {
    /// The reply to a request: `Reply("A GET /start", 302, "/x")`. Requests without a reply receive status 200.
    struct Reply: Sendable {
        let request: String
        let status: Int
        let location: String?
        let body: String

        init(_ request: String, _ status: Int, _ location: String?, body: String = "moved") {
            (self.request, self.status, self.location, self.body) = (request, status, location, body)
        }
    }

    private struct State {
        var names: [(name: String, text: String)] = []
        var script: [String: Reply] = [:]
        var received: [(server: String, request: LoopbackRequest)] = []
    }

    private let state = Locked(State())

    static func run(_ body: (RedirectScene) async throws -> Void) async throws {
        let scene = RedirectScene()
        try await LoopbackServer.withServer {
            scene.reply(to: $0, at: "A")
        } _: { one in
            try await LoopbackServer.withServer {
                scene.reply(to: $0, at: "B")
            } _: { two in
                let names = [
                    ("{A}", "http://127.0.0.1:\(one.port)"), ("{L}", "http://localhost:\(one.port)"),
                    ("{B}", "http://127.0.0.1:\(two.port)"), ("{a}", "127.0.0.1:\(one.port)"),
                ]
                scene.state.withLock { $0.names = names }
                try await body(scene)
            }
        }
    }

    /// Sets another script and removes the recorded requests.
    func play(_ script: [Reply]) {
        state.withLock { state in
            state.script = Dictionary(script.map { ($0.request, $0) }, uniquingKeysWith: { $1 })
            state.received = []
        }
    }

    /// The requests that the servers received since the script was set.
    var received: [(server: String, request: LoopbackRequest)] { state.withLock { $0.received } }

    /// Returns a string with the URLs instead of their placeholders.
    func filled(_ text: String) -> String {
        state.withLock { $0.names }.reduce(text) { $0.replacing($1.name, with: $1.text) }
    }

    /// Returns a string with the placeholders instead of the URLs.
    func named(_ text: String) -> String {
        state.withLock { $0.names }.reduce(text) { $0.replacing($1.text, with: $1.name) }
    }

    private func reply(to request: LoopbackRequest, at server: String) -> LoopbackReply {
        let reply = state.withLock { state in
            state.received.append((server, request))
            return state.script["\(server) \(request.method) \(request.target)"]
        }
        guard let reply else { return .text("end") }
        guard let location = reply.location else { return .status(reply.status) }
        return .text(reply.body, status: reply.status).header("Location", filled(location))
    }
}

/// A call, the script of the servers, and the expected outcome.
struct RedirectRow: Sendable, CustomTestStringConvertible {
    let name: String
    var method = "GET"
    var target = "{A}/start"
    var body = ""
    var headers: [String: String] = [:]
    /// `httpAdditionalHeaders` of the session.
    var sessionHeaders: [String: String] = [:]
    var hidden: [String] = []
    var policy = RedirectInterceptor.Policy.follow
    let script: [RedirectScene.Reply]
    /// `A GET /start`, then the body, then in brackets the received headers of the call and of the session.
    let received: [String]
    /// `200 {A}/x` and the body, unless it is the default `end` of the servers, or the reason of the error.
    let end: String

    var testDescription: String { name }

    /// Runs the call through a `URLSession` and checks the outcome.
    func run(in scene: RedirectScene, isLayered: Bool = false) async throws {
        scene.play(script)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = sessionHeaders
        let session = URLSession(configuration: configuration)
        let layered = session.intercepted(byAll: isLayered ? [RedirectInterceptor()] : [])
        let outcome = try await outcome(of: request(in: scene), on: layered, in: scene)
        #expect(outcome == end)
        #expect(scene.received.map(line) == received)
    }

    private func request(in scene: RedirectScene) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: scene.filled(target))))
        head.httpMethod = method
        head.allHTTPHeaderFields = headers
        var options = RequestOptions()
        options.redirects = policy
        for name in hidden { options.redaction.hide(name) }
        return APIRequest(head: head, body: body.isEmpty ? .none : .data(Data(body.utf8)), options: options)
    }

    private func outcome(of request: APIRequest, on session: any APISession, in scene: RedirectScene) async throws
        -> String
    {
        do {
            let response = try await session.send(request)
            let body = String(decoding: try await response.body.collect(), as: UTF8.self)
            let shown = body == "end" ? "" : " \(body.isEmpty ? "‹empty›" : body)"
            return "\(response.head.status) \(scene.named(response.head.url.absoluteString))\(shown)"
        } catch let error as ServiceError {
            #expect(error.code == .redirect && error.response?.isRedirect == true)
            #expect(error.request == request.summary)
            var printed = "\(error) \(String(reflecting: error)) \(error.response.map { "\($0)" } ?? "")"
            dump(error, to: &printed)
            #expect(!printed.contains("s3cr3t"))
            return error.reason
        }
    }

    private func line(_ server: String, _ request: LoopbackRequest) -> String {
        let sent = headers.merging(sessionHeaders) { own, _ in own }
        let came = sent.filter { request[$0.key] == $0.value }.keys.sorted()
        // A header with another value, or a duplicate, is marked as unexpected.
        let strange = sent.filter { request.all($0.key) != [$0.value] && request[$0.key] != nil }
        let parts = [
            "\(server) \(request.method) \(request.target)", String(decoding: request.body, as: UTF8.self),
            sent.isEmpty ? "" : "[\((came + strange.keys.map { "?" + $0 }).joined(separator: " "))]",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
