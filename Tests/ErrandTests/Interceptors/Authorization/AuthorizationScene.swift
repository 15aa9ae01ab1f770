import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport

/// A server with an API and a token endpoint. It rotates refresh tokens and refuses old ones.
final class TokenServer: Sendable {
    enum Behaviour: Sendable {
        case honest
        case failing
        case stalling
        /// Rotates the refresh token at once and responds when the gate opens.
        case late(Gate)
        case refusing
    }

    struct Counts: Sendable {
        var calls = 0
        var refusals = 0
        var refreshes = 0
    }

    private struct State {
        var number = 1
        /// The number of the last invalid access token.
        var expired = 0
        var behaviour = Behaviour.honest
        var counts = Counts()
    }

    private let state = Locked(State())

    var counts: Counts { state.withLock { $0.counts } }
    var access: String { "a\(state.withLock { $0.number })" }
    var refresh: String { "r\(state.withLock { $0.number })" }

    func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    /// Invalidates the current access token. Its refresh token remains valid.
    func expire() { state.withLock { $0.expired = $0.number } }

    func reply(to request: LoopbackRequest) -> LoopbackReply {
        request.path == "/token" ? token(String(decoding: request.body, as: UTF8.self)) : call(request["Authorization"])
    }

    private func call(_ authorization: String?) -> LoopbackReply {
        state.withLock { state in
            state.counts.calls += 1
            if state.number > state.expired, authorization == "Bearer a\(state.number)" { return .text("ok") }
            state.counts.refusals += 1
            return .status(401).header("WWW-Authenticate", #"Bearer error="invalid_token""#)
        }
    }

    private func token(_ form: String) -> LoopbackReply {
        state.withLock { state in
            state.counts.refreshes += 1
            let isGood = form.contains("refresh_token=r\(state.number)")
            switch state.behaviour {
            case .failing: return .status(503)
            case .stalling: return .stall
            case .honest where isGood: return Self.rotated(&state)
            case .late(let gate) where isGood:
                let reply = Self.rotated(&state)
                return .later {
                    await gate.wait()
                    return reply
                }
            case .honest, .late, .refusing: return .json(#"{"error":"invalid_grant"}"#, status: 400)
            }
        }
    }

    private static func rotated(_ state: inout State) -> LoopbackReply {
        state.number += 1
        return .json(
            #"{"access_token":"a\#(state.number)","token_type":"Bearer","expires_in":3600,"#
                + #""refresh_token":"r\#(state.number)"}"#)
    }
}

/// An account with an invalid access token, and a session that authorizes requests with it.
struct AuthorizationScene: Sendable {
    struct Outcome: Sendable {
        var successes = 0
        var cancelled = 0
        var failures: [ServiceError.Code: Int] = [:]
    }

    let server: TokenServer
    let url: URL
    let clock = ManualClock()
    let events = EventLog()
    let store: MemoryTokenStore
    let client: OAuthClient
    let account: any APISession

    /// Uses few connections, because some machines limit a process to 256 open files.
    private let transport: any APISession

    init(_ server: TokenServer, at url: URL, life: Double?, timeout: Duration = .seconds(3_600)) throws {
        transport = try Transport.platform.makeSession(connectionsPerOrigin: 16)
        self.server = server
        self.url = url
        server.expire()
        let (events, clock) = (events, clock)
        store = MemoryTokenStore(
            OAuthToken(access: Secret("a1"), refresh: Secret("r1"), expiry: life.map { clock.date + $0 }))
        client = OAuthClient(id: "test", tokenEndpoint: url.appending(path: "token"), timeout: timeout)
        let authorizer = OAuthAuthorizer(client, store: store) { events.add($0) }
        account = transport.intercepted(by: AuthorizationInterceptor(authorizer, at: url))
    }

    func session(_ authorizer: OAuthAuthorizer) -> any APISession {
        transport.intercepted(by: AuthorizationInterceptor(authorizer, at: url))
    }

    func request(_ path: String = "call") -> APIRequest {
        var request = APIRequest(head: URLRequest(url: url.appending(path: path)), body: .none)
        request.options.time = clock
        return request
    }

    /// Sends concurrent requests. If a generator is given, about half of the requests are cancelled.
    func run(_ count: Int, cancelling random: SplitMix? = nil) async -> Outcome {
        var random = random
        let calls = (0..<count).map { _ in
            Task { [account] in try await account.send(request()).head.status }
        }
        if random != nil {
            for call in calls {
                if (random?.next() ?? 0) % 2 == 0 { call.cancel() }
                if (random?.next() ?? 0) % 8 == 0 { await Soak.wait(.microseconds(500)) }
            }
        }
        var outcome = Outcome()
        for call in calls {
            do {
                if try await call.value == 200 {
                    outcome.successes += 1
                } else {
                    outcome.failures[.status, default: 0] += 1
                }
            } catch let error as ServiceError where error.code != .cancelled {
                outcome.failures[error.code, default: 0] += 1
            } catch {
                outcome.cancelled += 1
            }
        }
        return outcome
    }
}
