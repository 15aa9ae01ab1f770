import ErrandSupport

/// The secrets that the requests of one API call carry. A server may repeat them, so its texts are printed without them.
///
/// Interceptors add credentials below the loader. Sessions therefore note each request that they send. The secrets
/// are computed when a text is made.
package final class CarriedSecrets: Sendable {
    private struct State {
        var requests: [RequestSecrets] = []
        var finder: SecretFinder?
    }

    /// The maximum number of requests that are kept: 32. The first request of a call always is.
    private static let mostRequests = 32
    private let state = Locked(State())

    package init() {}

    /// Adds the secrets of a request.
    package func note(_ source: RequestSecrets) {
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

extension Redaction {
    /// A text of a server as it may be printed: as ``text(_:)``, without known secrets, and with at most `limit` characters.
    package func printable(_ text: String, limit: Int, _ secrets: CarriedSecrets?) -> String {
        // The rest of a long text is ignored, so that the time is bounded.
        let start = text.utf8.prefix(Self.printableBytes)
        let text = start.count < text.utf8.count ? String(decoding: start, as: UTF8.self) + "…" : text
        return masked(secrets?.masked(text) ?? text).singleLine(limit: limit)
    }
}
