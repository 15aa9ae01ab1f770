import Errand
package import ErrandLoopback
import ErrandSupport
import Foundation

/// A shop with one valid access token. It responds to other tokens with 401. Each refresh creates a new pair of tokens.
package final class ShopServer: Sendable {
    private struct State {
        var generation = 1
        var profile: [String: String] = ["firstName": "Eva", "lastName": "Novak"]
    }

    private let state = Locked(State())

    package init() {}

    /// The number of token refreshes.
    package var refreshes: Int { state.withLock { $0.generation - 1 } }

    package func reply(to request: LoopbackRequest) -> LoopbackReply {
        switch (request.method, request.path) {
        case ("POST", "/feedback"): return .status(204)
        case ("GET", "/terms"): return json(["text": "Be kind."])
        case ("GET", "/locations"):
            let word = request.queryItems.first { $0.name == "query" }?.value?.lowercased() ?? ""
            return json(["Berlin", "Bern", "Bonn"].filter { $0.lowercased().hasPrefix(word) }.map { ["name": $0] })
        case ("POST", "/oauth/token"): return refresh(String(decoding: request.body, as: UTF8.self))
        default: return customer(request)
        }
    }

    private func customer(_ request: LoopbackRequest) -> LoopbackReply {
        let valid = state.withLock { "Bearer a\($0.generation)" }
        guard request["Authorization"] == valid else {
            return .status(401).header("WWW-Authenticate", #"Bearer error="invalid_token""#)
        }
        switch (request.method, request.path) {
        case ("GET", "/customer/profile"): return json(state.withLock { $0.profile })
        case ("PATCH", "/customer/profile"):
            let change = (try? JSONDecoder().decode([String: String].self, from: request.body)) ?? [:]
            return json(
                state.withLock { state in
                    state.profile.merge(change) { _, new in new }
                    return state.profile
                })
        case ("GET", "/offers"): return json([["title": "Tea"], ["title": "Coffee"]])
        case ("POST", "/images"): return .json(#"{"id":7}"#, status: 201)
        default: return .status(404)
        }
    }

    private func refresh(_ form: String) -> LoopbackReply {
        state.withLock { state in
            guard form.contains("refresh_token=r\(state.generation)") else {
                return .json(#"{"error":"invalid_grant"}"#, status: 400)
            }
            state.generation += 1
            let (access, next) = ("a\(state.generation)", "r\(state.generation)")
            return .json(#"{"access_token":"\#(access)","refresh_token":"\#(next)","token_type":"Bearer"}"#)
        }
    }

    private func json(_ value: some Encodable) -> LoopbackReply {
        (try? JSONEncoder().encode(value)).map { .json($0) } ?? .status(500)
    }
}
