extension RedirectInterceptor {
    /// How a call handles redirects: responses with status 301, 302, 303, 307 or 308 and a `Location` (RFC 9110,
    /// section 15.4).
    ///
    /// ```swift
    /// options.redirects = .manual
    /// options.redirects = .follow(upTo: 3)
    /// options.redirects.crossOriginHeaders = ["X-Shop"]
    /// ```
    /// By default redirects are followed, 20 at most, and never from https to http.
    public struct Policy: Sendable, Hashable {
        /// The three ways to handle a redirect. The names are those of the Fetch standard (section 2.2.5).
        public enum Mode: String, Sendable, Hashable, CaseIterable {
            /// The redirect is followed, and the last response is the call's.
            case follow
            /// The redirect itself is the call's response.
            case manual
            /// A redirect is an error with ``ServiceError/Code/redirect``.
            case error
        }

        /// The maximum number of redirects that any call follows, and the default ``limit``: 20.
        public static let mostRedirects: Int = 20

        /// How redirects are handled. Defaults to ``Mode/follow``.
        public var mode: Mode
        /// The maximum number of redirects that are followed, 0 to 20. Defaults to 20. One more is an error. Other values are
        /// clamped.
        public var limit: Int {
            didSet { limit = Self.clamped(limit) }
        }
        /// Whether https may lead to http, which is neither encrypted nor authenticated. Defaults to `false`.
        public var allowsDowngrade: Bool
        /// The names of further request headers that are sent to another origin, compared without case. Defaults to none.
        ///
        /// ``RedirectInterceptor`` lists the headers that need no name here. `Host` and headers that ``RequestOptions/redaction``
        /// hides are never sent to another origin, even if they are named.
        public var crossOriginHeaders: Set<String>
        /// The reason to refuse a redirect to another origin with ``ServiceError/Code/badResponse``. `nil`, the default, allows
        /// it.
        package var crossOriginRefusal: String?

        /// Makes a policy.
        public init(
            mode: Mode = .follow, limit: Int = Policy.mostRedirects, allowsDowngrade: Bool = false,
            crossOriginHeaders: Set<String> = []
        ) {
            self.mode = mode
            self.limit = Self.clamped(limit)
            self.allowsDowngrade = allowsDowngrade
            self.crossOriginHeaders = crossOriginHeaders
        }

        /// Follows redirects: the default.
        public static let follow: Policy = Policy()
        /// Returns a redirect as it is.
        public static let manual: Policy = Policy(mode: .manual)
        /// Throws if the response is a redirect.
        public static let error: Policy = Policy(mode: .error)

        /// Follows at most the given number of redirects, 0 to 20.
        public static func follow(upTo limit: Int) -> Policy { Policy(limit: limit) }

        /// The header that routes a request to a `StubSession` of the test kit, after a redirect too.
        package static let stubHeader: String = "Errand-Stub"

        /// The maximum number of bytes of a redirect's own body that are read, regardless of the call's cap: 64 kB.
        package static let droppedBodyLimit: Int = 65_536

        /// Whether a call does not end with this response, so that its body is not needed.
        package func applies(to head: ResponseHead) -> Bool { mode != .manual && head.isRedirect }

        private static func clamped(_ limit: Int) -> Int { min(max(0, limit), mostRedirects) }
    }
}

extension RequestOptions {
    /// Headers that every origin may receive. They describe the response that is accepted, the client and the body.
    private static let crossOriginNames: Set<String> = [
        "accept", "user-agent", "range", "traceparent", RedirectInterceptor.Policy.stubHeader.lowercased(),
    ]
    private static let crossOriginPrefixes = ["accept-", "content-", "if-"]

    /// Whether a redirect to another origin keeps a request header.
    func keepsAcrossOrigins(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        guard lowercased != "host", !redaction.hides(name) else { return false }
        return Self.crossOriginNames.contains(lowercased)
            || Self.crossOriginPrefixes.contains { lowercased.hasPrefix($0) }
            || redirects.crossOriginHeaders.contains { $0.lowercased() == lowercased }
    }
}
