extension RedirectInterceptor {
    /// The handling of redirects: responses with status 301, 302, 303, 307 or 308 and a `Location` header (RFC 9110,
    /// section 15.4).
    ///
    /// ```swift
    /// options.redirects = .manual
    /// options.redirects = .follow(upTo: 3)
    /// options.redirects.crossOriginHeaders = ["X-Shop"]
    /// ```
    /// By default, at most 20 redirects are followed, and none from https to http.
    public struct Policy: Sendable, Hashable {
        /// The three ways to handle a redirect. The names are those of the Fetch standard (section 2.2.5).
        public enum Mode: String, Sendable, Hashable, CaseIterable {
            /// Redirects are followed. The last response is returned.
            case follow
            /// The redirect itself is returned as the response.
            case manual
            /// A redirect is an error with ``ServiceError/Code/redirect``.
            case error
        }

        /// The maximum value and the default of ``limit``: 20 redirects.
        public static let maximumRedirects: Int = 20

        /// The handling of a redirect. The default is ``Mode/follow``.
        public var mode: Mode
        /// The maximum number of redirects to follow, 0 to 20. The default is 20. One more redirect is an error. Other
        /// values are clamped.
        public var limit: Int {
            didSet { limit = Self.clamped(limit) }
        }
        /// Whether a redirect may lead from https to http, which is neither encrypted nor authenticated. The default is
        /// `false`.
        public var allowsDowngrade: Bool
        /// The names of additional request headers to send to another origin, compared without case. The default is an
        /// empty set.
        ///
        /// ``RedirectInterceptor`` lists the headers that are sent by default. `Host` and headers that
        /// ``RequestOptions/redaction`` hides are never sent to another origin, even if they are in this set.
        public var crossOriginHeaders: Set<String>
        /// The reason for rejecting a redirect to another origin with ``ServiceError/Code/badResponse``. If `nil` (the
        /// default), the redirect is followed.
        package var crossOriginRefusal: String?

        /// Creates a policy.
        public init(
            mode: Mode = .follow, limit: Int = Policy.maximumRedirects, allowsDowngrade: Bool = false,
            crossOriginHeaders: Set<String> = []
        ) {
            self.mode = mode
            self.limit = Self.clamped(limit)
            self.allowsDowngrade = allowsDowngrade
            self.crossOriginHeaders = crossOriginHeaders
        }

        /// Follows redirects. This is the default.
        public static let follow: Policy = Policy()
        /// Returns a redirect as the response.
        public static let manual: Policy = Policy(mode: .manual)
        /// Throws if the response is a redirect.
        public static let error: Policy = Policy(mode: .error)

        /// Follows at most the given number of redirects, 0 to 20.
        public static func follow(upTo limit: Int) -> Policy { Policy(limit: limit) }

        /// The header that routes a request to a `StubSession` of the test kit. It is also sent after a redirect.
        package static let stubHeader: String = "Errand-Stub"

        /// The maximum number of bytes of a redirect's own body that are read, regardless of the limit of the request:
        /// 64 kB.
        package static let droppedBodyLimit: Int = 65_536

        /// Returns whether the response is a redirect to follow or to reject, so that its body is not needed.
        package func applies(to head: ResponseHead) -> Bool { mode != .manual && head.isRedirect }

        private static func clamped(_ limit: Int) -> Int { min(max(0, limit), maximumRedirects) }
    }
}

extension RequestOptions {
    /// The headers that every origin may receive. They describe the accepted response, the client and the body.
    private static let crossOriginNames: Set<String> = [
        "accept", "user-agent", "range", "traceparent", RedirectInterceptor.Policy.stubHeader.lowercased(),
    ]
    private static let crossOriginPrefixes = ["accept-", "content-", "if-"]

    /// Returns whether a request header is kept after a redirect to another origin.
    func keepsAcrossOrigins(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        guard lowercased != "host", !redaction.hides(name) else { return false }
        return Self.crossOriginNames.contains(lowercased)
            || Self.crossOriginPrefixes.contains { lowercased.hasPrefix($0) }
            || redirects.crossOriginHeaders.contains { $0.lowercased() == lowercased }
    }
}
