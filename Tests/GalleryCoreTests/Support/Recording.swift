import Errand
import ErrandLoopback
import Testing

/// The recorded exchanges, and a server that replays them with its URL in their placeholders.
struct Recording: Sendable {
    let exchanges: [Exchange]
    private let byKey: [String: Int]

    /// The request header that selects one of several exchanges with the same target.
    static let indexHeader = "X-Exchange"

    init() throws {
        exchanges = try Exchange.all()
        let keys = exchanges.enumerated().map { (Self.key($0.element.method, $0.element.target), $0.offset) }
        byKey = Dictionary(keys, uniquingKeysWith: { first, _ in first })
    }

    /// Runs a test with a replaying server. Requests that were not recorded get status 404 with an API error.
    func replayed(_ body: (LoopbackServer) async throws -> Void) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 500
        try await LoopbackServer.withServer(configuration: configuration) { request in
            guard
                let index = request[Self.indexHeader].flatMap({ Int($0) })
                    ?? byKey[Self.key(request.method, request.target)]
            else { return .json(#"{"errors":["not recorded"]}"#, status: 404) }
            return reply(exchanges[index], at: "http://\(request["Host"] ?? "")/")
        } _: { server in
            try await body(server)
        }
    }

    private func reply(_ exchange: Exchange, at base: String) -> LoopbackReply {
        var reply = LoopbackReply.data(Data(Exchange.filled(exchange.body, api: base).utf8), status: exchange.status)
        for header in exchange.headers
        where !["content-length", "transfer-encoding", "connection"].contains(header[0].lowercased()) {
            reply = reply.header(header[0], Exchange.filled(header[1], api: base))
        }
        return reply
    }

    /// Returns the lookup key of a request. It ignores the order of the query items and a trailing slash of the path.
    static func key(_ method: String, _ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let items = (parts.count > 1 ? parts[1] : "").split(separator: "&").sorted().joined(separator: "&")
        return "\(method) \(parts[0].hasSuffix("/") ? String(parts[0].dropLast()) : parts[0])?\(items)"
    }
}
