import ErrandSupport

/// The secrets in the requests of one API call. A server may repeat them, so they are removed from its texts.
///
/// Interceptors add credentials after the loader has made the request. Sessions therefore note each request that they
/// send. The secrets are computed when a text is created.
package final class CarriedSecrets: Sendable {
    private struct State {
        var requests: [RequestSecrets] = []
        var finder: SecretFinder?
    }

    /// The maximum number of stored requests: 32. The first request of an API call is always kept.
    private static let maximumRequests = 32
    private let state = Locked(State())

    package init() {}

    /// Adds the secrets of a request.
    package func note(_ source: RequestSecrets) {
        state.withLock { state in
            if state.requests.count == Self.maximumRequests { state.requests.remove(at: 1) }
            state.requests.append(source)
            state.finder = nil
        }
    }

    /// Returns a text in which each secret is replaced by ``Redaction/mask``.
    package func masked(_ text: String) -> String { finder.masked(text) }

    /// The secrets that have been noted so far.
    package var secrets: Set<String> { Set(state.withLock { $0.requests }.flatMap(\.secrets)) }

    /// A finder of all secrets that have been noted so far.
    var finder: SecretFinder {
        let (known, requests) = state.withLock { ($0.finder, $0.requests) }
        if let known { return known }
        let finder = SecretFinder(Set(requests.flatMap(\.secrets)))
        state.withLock { if $0.requests.count == requests.count { $0.finder = finder } }
        return finder
    }
}

extension Redaction {
    /// Returns a text of the server in a form that is safe to print: redacted like ``text(_:)``, without the known
    /// secrets, and with at most `limit` characters.
    package func printable(_ text: String, limit: Int, _ secrets: CarriedSecrets?) -> String {
        // The end of a long text is ignored, so that the time is bounded.
        let start = text.utf8.prefix(Self.printableBytes)
        let text = start.count < text.utf8.count ? String(decoding: start, as: UTF8.self) + "…" : text
        return masked(secrets?.masked(text) ?? text).singleLine(limit: limit)
    }
}
