import Errand
import ErrandLoopback
import ErrandSupport

/// The outcome of a call.
enum Outcome: Sendable, Hashable, CustomStringConvertible {
    case response(Int, String)
    case error(ServiceError.Code)
    /// The call was still running long after its deadline.
    case hang

    var description: String {
        switch self {
        case .response(let status, let body): body.isEmpty ? "\(status)" : "\(status) ‹\(body.singleLine(limit: 24))›"
        case .error(let code): code.rawValue
        case .hang: "hang"
        }
    }
}

/// A network fault: the server's behaviour, and the allowed outcomes of a call.
struct Fault: Sendable {
    /// The step before the tested call.
    enum Prelude: Sendable {
        case nothing
        /// A successful call. Its connection is kept.
        case call
        /// A successful call. The server then closes its connection.
        case closedConnection
    }

    static let idleTimeout: Duration = .seconds(1)
    static let deadline: Duration = .milliseconds(1_500)
    static let bodyLimit = 1 << 20

    let name: String
    let allowed: [Outcome]
    var method = HTTPMethod.get
    var body: String?
    var headers: [(name: String, value: String)] = []
    var prelude = Prelude.nothing
    /// The number of consecutive calls. The default is 1.
    var rounds = 1
    /// The maximum time of the calls. It is short if they do not have to wait.
    var bound: Duration = .milliseconds(800)
    /// Whether a server listens. The default is `true`.
    var isServed = true
    /// Returns the flaw of the requests that have reached the server, or `nil`.
    var check: @Sendable ([LoopbackRequest]) -> String? = { _ in nil }
    let reply: @Sendable (LoopbackRequest) -> LoopbackReply

    init(
        _ name: String, _ allowed: Outcome..., reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) {
        self.name = name
        self.allowed = allowed
        self.reply = reply
    }

    /// Creates a fault that sends the same bytes each time and then closes the connection.
    init(_ name: String, _ allowed: Outcome..., bytes: String) {
        self.name = name
        self.allowed = allowed
        reply = { _ in .raw(bytes) }
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
