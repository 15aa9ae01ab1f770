public import Errand
import ErrandLoopback
import ErrandSupport

/// What any ``/Errand/APISession`` must keep to, as a suite: run it on a session of your own before you build on it.
///
/// ```swift
/// try await SessionContract { URLSession(configuration: .ephemeral) }.verify()
/// try await SessionContract { peer in ScriptedSession(answering: peer) }.verify()
/// ```
/// The first form is for sessions that reach servers: they get a real one on 127.0.0.1. The second is for doubles: the
/// closure gets what its answers are to come from. Each promise gets a session of its own. A run takes two seconds or so.
public struct SessionContract: Sendable {
    /// Answers a request, where the session is a double.
    public typealias Peer = @Sendable (APIRequest) -> CannedReply

    private enum Subject: Sendable {
        case overNetwork(@Sendable () throws -> any APISession)
        case double(@Sendable (@escaping Peer) throws -> any APISession)
    }

    private let subject: Subject
    private let limit: Duration

    /// The contract of a session that reaches servers.
    ///
    /// - Parameters:
    ///   - limit: How long one call may take, in real time, before it counts as hanging; what must end at once may take a
    ///     fifth of it.
    ///   - makeSession: Makes the session; called once for each promise.
    public init(limit: Duration = .seconds(30), _ makeSession: @escaping @Sendable () throws -> any APISession) {
        subject = .overNetwork(makeSession)
        self.limit = limit
    }

    /// The contract of a session that answers by itself.
    ///
    /// - Parameters:
    ///   - limit: How long one call may take, in real time, before it counts as hanging; what must end at once may take a
    ///     fifth of it.
    ///   - makeSession: Makes the session, whose answers are the peer's; called once for each promise.
    public init(
        limit: Duration = .seconds(30), _ makeSession: @escaping @Sendable (@escaping Peer) throws -> any APISession
    ) {
        subject = .double(makeSession)
        self.limit = limit
    }

    /// The names of all promises, in the order in which they are checked.
    public static var promises: [String] { Promise.all.map(\.name) }

    /// Checks every promise.
    /// - Throws: ``VerificationError`` with one complaint for each that is broken: its name, and what was seen; or that
    ///   the task was cancelled.
    public func verify() async throws(VerificationError) {
        try await verify { _ in true }
    }

    /// Checks some of the promises, chosen by name.
    package func verify(_ isChosen: (String) -> Bool) async throws(VerificationError) {
        var problems: [String] = []
        for promise in Promise.all where isChosen(promise.name) {
            do {
                try await check(promise)
            } catch {
                if Task.isCancelled { throw VerificationError("the check of the contract was cancelled") }
                problems.append("broken promise  \(promise.name)\n  \(error)")
            }
        }
        guard problems.isEmpty else { throw VerificationError(problems) }
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
            try await promise.check(Trial(session: session, base: base, limit: limit) { seen.withLock { $0 } })
        case .overNetwork(let makeSession):
            let session = try makeSession()
            try await LoopbackServer.withServer { request in
                LoopbackReply(peer(APIRequest(request)))
            } _: { server in
                var trial = Trial(session: session, base: server.url, limit: limit) { seen.withLock { $0 } }
                trial.connections = { server.statistics.openConnections }
                try await promise.check(trial)
            }
        }
    }
}

extension SessionContract {
    /// What is wrong with a session.
    struct Broken: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// One promise: what the peer answers, and what the session must make of it.
    struct Promise: Sendable {
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
