import Errand
import ErrandLoopback
import ErrandSupport
import Foundation
import TestSupport

/// A server of event streams that drops connections at random bytes and expires tokens. Each path is a separate stream
/// with numbered events.
///
/// `POST /token` renews the token (RFC 6749, section 6). A refresh token is valid once. A token expires only after the
/// client received events of each open stream with it, because the interceptor sends a refused request only once more.
final class EventDropServer: Sendable {
    /// The figures of the server.
    struct Figures {
        var drops = 0
        var expiries = 0
        var refreshes = 0
        /// The number of refreshes with a refresh token that is not valid.
        var invalid = 0
    }

    /// The use of a token by a stream.
    private struct Use {
        var token = 0
        /// The event after which the first response with the token began.
        var first = 0
        /// Whether a later request shows that the client received events of that response.
        var isReceived = false

        mutating func add(_ token: Int, _ next: Int) {
            if token != self.token { self = Use(token: token, first: next) }
            isReceived = isReceived || next > first
        }
    }

    private struct State {
        var random: SplitMix
        /// The drops that are left, by path.
        var drops: [String: Int] = [:]
        /// The uses of the tokens, by path.
        var uses: [String: Use] = [:]
        var token = 1
        var isExpired = false
        var figures = Figures()
    }

    /// The number of events of each stream.
    let count: Int
    /// The number of dropped connections of each stream.
    let drops: Int
    private let state: Locked<State>

    init(count: Int, drops: Int, seed: UInt64) {
        (self.count, self.drops) = (count, drops)
        state = Locked(State(random: SplitMix(state: seed)))
    }

    var figures: Figures { state.withLock { $0.figures } }

    /// The first token.
    static let token = OAuthToken(access: Secret("t1"), refresh: Secret("r1"))

    static func event(_ id: Int) -> String {
        "id: \(id)\ndata: {\"n\":\(id)}\ndata:  \n: \(String(repeating: "€", count: id % 40))\n\n"
    }

    func reply(_ request: LoopbackRequest) -> LoopbackReply {
        state.withLock { state in
            if request.path == "/token" { return Self.renew(request, &state) }
            guard !state.isExpired, request["Authorization"] == "Bearer t\(state.token)" else {
                state.uses[request.path] = Use()
                return .status(401)
            }
            let next = (request["Last-Event-ID"].flatMap { Int($0) } ?? 0) + 1
            guard next <= count else {
                state.uses[request.path] = nil
                return .status(204)
            }
            state.uses[request.path, default: Use()].add(state.token, next)
            let text = (next...min(count, next + 3)).map(Self.event).joined()
            let reply = LoopbackReply.data(Data(text.utf8), type: "text/event-stream")
            let rest = state.drops[request.path, default: drops]
            guard rest > 0 else { return reply }
            state.drops[request.path] = rest - 1
            return Self.drop(reply, at: Int(state.random.next() % UInt64(text.utf8.count + 1)), &state)
        }
    }

    private static func drop(_ reply: LoopbackReply, at length: Int, _ state: inout State) -> LoopbackReply {
        state.figures.drops += 1
        let token = state.token
        let isUsed = state.uses.values.allSatisfy { $0.token == token && $0.isReceived }
        if isUsed, !state.isExpired, state.random.next() % 10 == 0 {
            state.isExpired = true
            state.figures.expiries += 1
        }
        let ending: LoopbackReply.Ending = state.random.next() % 2 == 0 ? .close : .reset
        return state.random.next() % 8 == 0 ? .closeWithoutReply : reply.truncatingBody(after: length, then: ending)
    }

    private static func renew(_ request: LoopbackRequest, _ state: inout State) -> LoopbackReply {
        let form = String(decoding: request.body, as: UTF8.self).split(separator: "&")
        guard form.contains("grant_type=refresh_token"), form.contains("refresh_token=r\(state.token)") else {
            state.figures.invalid += 1
            return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        state.figures.refreshes += 1
        state.token += 1
        state.isExpired = false
        return .json(
            #"{"access_token":"t\#(state.token)","token_type":"Bearer","refresh_token":"r\#(state.token)"}"#)
    }
}
