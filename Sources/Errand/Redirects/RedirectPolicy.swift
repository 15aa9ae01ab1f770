/// What a call does where the server points elsewhere with status 301, 302, 303, 307 or 308 (RFC 9110, section 15.4).
///
/// ```swift
/// options.redirects = .manual
/// options.redirects = .follow(upTo: 3)
/// ```
/// By default they are followed, 20 at most, and never from https to http.
public struct RedirectPolicy: Sendable, Hashable {
    /// The three things that can be done; the names are those of the Fetch standard (section 2.2.5).
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The address is asked, and its answer is the call's.
        case follow
        /// The redirect itself is the call's answer.
        case manual
        /// A redirect is an error with ``ServiceError/Code/redirect``.
        case error
    }

    /// The most redirects that any call follows, and the default ``limit``: 20.
    public static let mostRedirects: Int = 20

    /// What is done: ``Mode/follow`` by default.
    public var mode: Mode
    /// How many redirects are followed, 0 to 20; 20 by default. One more is an error. Other values are clamped.
    public var limit: Int {
        didSet { limit = Self.clamped(limit) }
    }
    /// Whether https may lead to http, where everybody on the way can read and change what follows. No by default.
    public var allowsDowngrade: Bool

    /// Makes a policy.
    public init(
        mode: Mode = .follow, limit: Int = RedirectPolicy.mostRedirects, allowsDowngrade: Bool = false
    ) {
        self.mode = mode
        self.limit = Self.clamped(limit)
        self.allowsDowngrade = allowsDowngrade
    }

    /// Follow: the default.
    public static let follow: RedirectPolicy = RedirectPolicy()
    /// Return the redirect as it is.
    public static let manual: RedirectPolicy = RedirectPolicy(mode: .manual)
    /// Throw where there is a redirect.
    public static let error: RedirectPolicy = RedirectPolicy(mode: .error)

    /// Follow at most so many redirects, 0 to 20.
    public static func follow(upTo limit: Int) -> RedirectPolicy { RedirectPolicy(limit: limit) }

    /// The most bytes of a redirect's own body that are waited for, whatever the call's cap: 64 kB.
    package static let droppedBodyLimit: Int = 65_536

    /// Whether a call does not end with this head, so that nobody misses its body.
    package func applies(to head: ResponseHead) -> Bool { mode != .manual && head.isRedirect }

    private static func clamped(_ limit: Int) -> Int { min(max(0, limit), mostRedirects) }
}
