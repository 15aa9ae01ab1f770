public import Errand
import ErrandLoopback
import ErrandSupport

/// A test suite for the rules of every ``/Errand/APISession``. Run it on a custom session before you use the session.
///
/// ```swift
/// try await SessionContract { URLSession(configuration: .ephemeral) }.verify()
/// try await SessionContract { peer in ScriptedSession(answering: peer) }.verify()
/// ```
/// Use the first form for sessions that connect to servers: the contract starts a real server on 127.0.0.1. Use the
/// second form for test doubles: the closure gets the peer that provides the replies. Each promise is checked with a
/// new session. A run takes about two seconds.
public struct SessionContract: Sendable {
    /// Returns the reply to a request, for a session that is a test double.
    public typealias Peer = @Sendable (APIRequest) -> CannedReply

    private enum Subject: Sendable {
        case overNetwork(@Sendable () throws -> any APISession)
        case double(@Sendable (@escaping Peer) throws -> any APISession)
    }

    private let subject: Subject
    private let limit: Duration
    /// The maximum real time of a prompt end.
    package var promptness: Duration

    /// Creates the contract of a session that connects to servers.
    ///
    /// - Parameters:
    ///   - limit: The maximum real time of one request before it counts as hanging. The default is 30 seconds. A
    ///     request that must end promptly has two seconds or a fifth of the limit, whichever is longer, but never more than the
    ///     limit. If a check that measures this is late, it is repeated twice, because a busy machine can delay it. Both must then be
    ///     in time.
    ///   - makeSession: Creates the session. Called once for each promise.
    public init(limit: Duration = .seconds(30), _ makeSession: @escaping @Sendable () throws -> any APISession) {
        subject = .overNetwork(makeSession)
        self.limit = limit
        promptness = Self.promptness(within: limit)
    }

    /// Creates the contract of a test double.
    ///
    /// - Parameters:
    ///   - limit: The maximum real time of one request before it counts as hanging. The default is 30 seconds. A
    ///     request that must end promptly has two seconds or a fifth of the limit, whichever is longer, but never more than the
    ///     limit. If a check that measures this is late, it is repeated twice, because a busy machine can delay it. Both must then be
    ///     in time.
    ///   - makeSession: Creates the session, which returns the replies of the peer. Called once for each promise.
    public init(
        limit: Duration = .seconds(30), _ makeSession: @escaping @Sendable (@escaping Peer) throws -> any APISession
    ) {
        subject = .double(makeSession)
        self.limit = limit
        promptness = Self.promptness(within: limit)
    }

    private static func promptness(within limit: Duration) -> Duration { min(limit, max(.seconds(2), limit / 5)) }

    /// The names of all promises, in the order in which they are checked.
    public static var promises: [String] { Promise.all.map(\.name) }

    /// Checks every promise.
    /// - Throws: ``VerificationError`` with one problem for each broken promise (its name and the observed behavior),
    ///   or with a single problem if the task was cancelled.
    public func verify() async throws(VerificationError) {
        try await verify { _ in true }
    }

    /// Checks the promises with the given names.
    package func verify(_ isChosen: (String) -> Bool) async throws(VerificationError) {
        try await VerificationError.check(Promise.all.filter { isChosen($0.name) }) { promise in
            try await check(promise)
        }
    }

    private func check(_ promise: Promise) async throws {
        let seen = Locked<[APIRequest]>([])
        let peer: Peer = { request in
            seen.withLock { $0.append(request) }
            return promise.peer(request)
        }
        switch subject {
        case .double(let makeSession):
            guard let base = URL(string: "http://contract.test") else { return }
            let session = try makeSession(peer)
            let trial = Trial(session: session, base: base, limit: limit, promptness: promptness) {
                seen.withLock { $0 }
            }
            try await promise.check(trial)
        case .overNetwork(let makeSession):
            let session = try makeSession()
            try await LoopbackServer.withServer { request in
                LoopbackReply(peer(APIRequest(request)))
            } _: { server in
                var trial = Trial(session: session, base: server.url, limit: limit, promptness: promptness) {
                    seen.withLock { $0 }
                }
                trial.connections = { server.statistics.openConnections }
                try await promise.check(trial)
            }
        }
    }
}

extension SessionContract {
    /// The reason why a session breaks a promise.
    struct Broken: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// One promise: the replies of the peer, and the check of the session.
    struct Promise: ContractPromise, Sendable {
        let name: String
        let peer: Peer
        let check: @Sendable (Trial) async throws -> Void

        init(_ name: String, peer: @escaping Peer, check: @escaping @Sendable (Trial) async throws -> Void) {
            self.name = name
            self.peer = peer
            self.check = check
        }
    }
}
