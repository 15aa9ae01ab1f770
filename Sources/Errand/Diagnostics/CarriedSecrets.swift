/// The secrets that the requests of one API call carry. A server may repeat them, so its texts are printed without them.
///
/// Interceptors add credentials below the loader. Sessions therefore note each request that they send. The secrets
/// are computed when a text is made.
package final class CarriedSecrets: Sendable {
    private struct State {
        var requests: [SecretSource] = []
        var finder: SecretFinder?
    }

    /// The maximum number of requests that are kept: 32. The first request of a call always is.
    private static let mostRequests = 32
    private let state = Locked(State())

    package init() {}

    /// Adds the secrets of a request.
    package func note(_ request: APIRequest) {
        let source = SecretSource(request)
        state.withLock { state in
            if state.requests.count == Self.mostRequests { state.requests.remove(at: 1) }
            state.requests.append(source)
            state.finder = nil
        }
    }

    /// A text with each secret replaced by ``Redaction/mask``.
    package func masked(_ text: String) -> String { finder.masked(text) }

    /// Finds all secrets that were noted until now.
    var finder: SecretFinder {
        let (known, requests) = state.withLock { ($0.finder, $0.requests) }
        if let known { return known }
        let finder = SecretFinder(Set(requests.flatMap(\.secrets)))
        state.withLock { if $0.requests.count == requests.count { $0.finder = finder } }
        return finder
    }
}

extension APIRequest {
    /// The recorder of the secrets of this request's API call.
    package var secrets: CarriedSecrets {
        if let known = options.trail?.secrets { return known }
        let own = CarriedSecrets()
        own.note(self)
        return own
    }
}
