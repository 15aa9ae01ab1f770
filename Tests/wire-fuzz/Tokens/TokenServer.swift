import ErrandLoopback
import ErrandSupport
import Foundation

/// An authorization server for `Tests/tokens.sh`. Each refresh replaces the refresh token, and a refresh token that is used again ends
/// its session (RFC 9700, section 4.14.2).
final class TokenServer: Sendable {
    /// The tokens of one sign-in.
    private struct Session: Sendable {
        var number = 0
        var issuedAt = ContinuousClock.now
        /// Whether a request has used the current access token.
        var isUsed = false
        var isEnded = false
    }

    private struct State: Sendable {
        var sessions: [Session] = []
        var refreshes = 0
        /// The refreshes of a token that had not expired.
        var early = 0
        /// The sessions that ended because a refresh token was used twice.
        var revocations = 0
        /// The sessions that ended because a process was killed before it stored its token.
        var lost = 0
    }

    private static let lifetime: Duration = .seconds(1)
    /// The clocks of the processes and the server agree, but an expiry in whole seconds may be rounded.
    private static let tolerance: Duration = .milliseconds(100)

    private let state = Locked(State())

    func reply(to request: LoopbackRequest) -> LoopbackReply {
        switch request.target {
        case "/sign-in": signIn()
        case "/token": refresh(String(decoding: request.body, as: UTF8.self))
        case "/resource": use(request["Authorization"] ?? "")
        case "/report": .text(report)
        default: .status(404)
        }
    }

    private func signIn() -> LoopbackReply {
        state.withLock { state in
            state.sessions.append(Session())
            return Self.token(state.sessions.count - 1, 0)
        }
    }

    private func refresh(_ form: String) -> LoopbackReply {
        let name = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }?.dropFirst(14) ?? ""
        return state.withLock { state in
            guard let (index, number) = Self.parts(of: name), state.sessions.indices.contains(index) else {
                return .status(400)
            }
            var session = state.sessions[index]
            defer { state.sessions[index] = session }
            guard !session.isEnded, number == session.number else {
                if !session.isEnded {
                    // The token that replaced this one was never used, so its process was killed.
                    if number == session.number - 1, !session.isUsed { state.lost += 1 } else { state.revocations += 1 }
                }
                session.isEnded = true
                return .json(#"{"error":"invalid_grant"}"#, status: 400)
            }
            let now = ContinuousClock.now
            if now - session.issuedAt < Self.lifetime - Self.tolerance { state.early += 1 }
            state.refreshes += 1
            (session.number, session.issuedAt, session.isUsed) = (number + 1, now, false)
            return Self.token(index, number + 1)
        }
    }

    private func use(_ authorization: String) -> LoopbackReply {
        let name = authorization.dropFirst("Bearer ".count)
        return state.withLock { state in
            guard let (index, number) = Self.parts(of: name), state.sessions.indices.contains(index) else {
                return .status(401)
            }
            let session = state.sessions[index]
            // The previous access token is valid until its expiry, which the server does not check.
            guard number == session.number || number == session.number - 1 else { return .status(401) }
            if number == session.number { state.sessions[index].isUsed = true }
            return .text("ok")
        }
    }

    private var report: String {
        state.withLock { "\($0.refreshes) \($0.early) \($0.revocations) \($0.lost) \($0.sessions.count)\n" }
    }

    /// The numbers of a token such as `r-3-17`.
    private static func parts(of name: some StringProtocol) -> (session: Int, number: Int)? {
        let parts = name.split(separator: "-").compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    private static func token(_ session: Int, _ number: Int) -> LoopbackReply {
        let members = [
            #""access_token":"a-\#(session)-\#(number)""#, #""refresh_token":"r-\#(session)-\#(number)""#,
            #""token_type":"Bearer","expires_in":1"#,
        ]
        return .json("{\(members.joined(separator: ","))}")
    }
}
