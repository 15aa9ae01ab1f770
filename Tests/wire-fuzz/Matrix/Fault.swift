import Errand
import ErrandLoopback
import ErrandSupport

/// How a call ended.
enum Outcome: Sendable, Hashable, CustomStringConvertible {
    case answer(Int, String)
    case error(ServiceError.Code)
    /// It had not ended long after it had to.
    case hang

    var description: String {
        switch self {
        case .answer(let status, let body): body.isEmpty ? "\(status)" : "\(status) ‹\(body.singleLine(limit: 24))›"
        case .error(let code): code.rawValue
        case .hang: "hang"
        }
    }
}

/// One thing that can go wrong on the wire: what the server does, and how a call may end then.
struct Fault: Sendable {
    /// What comes before the call that is judged.
    enum Prelude: Sendable {
        case nothing
        /// An answered call, whose connection is kept.
        case call
        /// An answered call, whose connection the server then closes.
        case closedConnection
    }

    static let idleTimeout: Duration = .seconds(1)
    static let deadline: Duration = .milliseconds(1_500)
    static let bodyLimit = 1 << 20

    let name: String
    let allowed: [Outcome]
    var method = HTTPMethod.get
    var body: String?
    var fields: [(name: String, value: String)] = []
    var prelude = Prelude.nothing
    /// How often it is done, in a row.
    var rounds = 1
    /// The longest time that it may take: soon, where nothing is to be waited for.
    var bound: Duration = .milliseconds(800)
    /// Whether there is a server at all.
    var isServed = true
    /// What is wrong with what has reached the server; nil where nothing is.
    var check: @Sendable ([LoopbackRequest]) -> String? = { _ in nil }
    let reply: @Sendable (LoopbackRequest) -> LoopbackReply

    init(
        _ name: String, _ allowed: Outcome..., reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) {
        self.name = name
        self.allowed = allowed
        self.reply = reply
    }

    /// A fault that is the same bytes each time, and then a close.
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
