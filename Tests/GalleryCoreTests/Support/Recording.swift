import Errand
import ErrandLoopback
import Testing

/// The recorded exchanges, and a server that replays them with its own address in their place-holders.
struct Recording: Sendable {
    let exchanges: [Exchange]
    private let byKey: [String: Int]

    /// The field by which a request names one exchange among several with the same target.
    static let indexField = "X-Exchange"

    init() throws {
        exchanges = try Exchange.all()
        let keys = exchanges.enumerated().map { (Self.key($0.element.method, $0.element.target), $0.offset) }
        byKey = Dictionary(keys, uniquingKeysWith: { first, _ in first })
    }

    /// Runs a test against a server that replays; what was not recorded is a 404 in the server's form.
    func replayed(_ body: (LoopbackServer) async throws -> Void) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 500
        try await LoopbackServer.withServer(configuration: configuration) { request in
            guard
                let index = request[Self.indexField].flatMap({ Int($0) })
                    ?? byKey[Self.key(request.method, request.target)]
            else { return .json(#"{"errors":["not recorded"]}"#, status: 404) }
            return reply(exchanges[index], at: "http://\(request["Host"] ?? "")/")
        } _: { server in
            try await body(server)
        }
    }

    private func reply(_ exchange: Exchange, at base: String) -> LoopbackReply {
        var reply = LoopbackReply.data(Data(Exchange.filled(exchange.body, api: base).utf8), status: exchange.status)
        for field in exchange.headers
        where !["content-length", "transfer-encoding", "connection"].contains(field[0].lowercased()) {
            reply = reply.field(field[0], Exchange.filled(field[1], api: base))
        }
        return reply
    }

    /// Two targets are the same where only the order of the query's items and a last slash differ.
    static func key(_ method: String, _ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let items = (parts.count > 1 ? parts[1] : "").split(separator: "&").sorted().joined(separator: "&")
        return "\(method) \(parts[0].hasSuffix("/") ? String(parts[0].dropLast()) : parts[0])?\(items)"
    }
}
