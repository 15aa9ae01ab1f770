import ErrandSupport

/// An in-memory cookie storage. It follows the rules for user agents of RFC 6265bis, the draft that replaces RFC 6265
/// (sections 5.1 to 5.8).
///
/// ```swift
/// var configuration = CurlSession.Configuration()
/// configuration.cookies = CookieJar()
/// let session = CurlSession(configuration)        // a cookie of the login is sent with the next request
/// ```
/// - A cookie is kept until its `Max-Age`, or its `Expires` if it has no `Max-Age`. Without both, it is kept as long as
///   the jar. An expired cookie is removed (section 5.3).
/// - Without `Domain`, a cookie is sent only to the host that set it. With `Domain`, it is sent to the domain and its
///   subdomains. A cookie is ignored if its domain does not include the host, is a single label such as `com`, or is a
///   part of an IP address (section 5.1.3).
/// - A cookie is sent to its `Path` and the paths below. The default is the directory of the URL that set it (section
///   5.1.4).
/// - A cookie with `Secure` is accepted only over https and sent only over https. A cookie set over http cannot
///   replace or shadow it. Such a cookie is ignored if a `Secure` cookie of the same name has a domain above or below,
///   and a path at or above (section 5.7, step 16).
/// - A name that begins with `__Secure-` needs `Secure`. One that begins with `__Host-` needs `Secure`, `Path=/` and no
///   `Domain`. Case does not matter, and a cookie without its attributes is ignored (section 5.7, steps 19 and 20).
/// - A cookie without a name is ignored.
/// - Longer paths are sent first, then older cookies (section 5.8.3). `HttpOnly` and `SameSite` have no effect, because
///   they concern scripts and pages.
///
/// The limit is 4,096 bytes for a name and its value together, and 1,024 bytes for the path. A cookie above a limit or
/// with a control character is ignored. An attribute of more than 1,024 bytes is ignored. At most 50 cookies are kept
/// for a domain, and 3,000 in total. Expired cookies are evicted first, then cookies without `Secure`, then the
/// others. Among equals the least recently used one is evicted.
///
/// - Important: The jar does not use the list of public suffixes. A host below `co.uk` may set cookies for all of
///   `co.uk`. Use separate jars for servers that must not receive each other's cookies.
///
/// The description contains no names and no values.
public final class CookieJar: CookieInterceptor.Store {
    private let table = Locked(CookieTable())

    /// Creates an empty jar.
    public init() {}

    /// Returns the `Cookie` header for a URL, or `nil` if there is nothing to send.
    ///
    /// - Parameters:
    ///   - url: The request's URL.
    ///   - date: The time at which cookies must not have expired. ``CookieInterceptor`` passes the time of the
    ///     request's clock.
    /// - Returns: The header's value.
    public func cookies(for url: URL, at date: Date = Date()) -> String? {
        guard let cookieURL = CookieURL(url) else { return nil }
        return table.withLock { $0.header(for: cookieURL, at: date) }
    }

    /// Stores the cookies of the `Set-Cookie` headers of a response.
    ///
    /// - Parameters:
    ///   - lines: The values of its `Set-Cookie` headers, in order.
    ///   - url: The URL of the response.
    ///   - date: The time from which `Max-Age` counts. ``CookieInterceptor`` passes the time of the request's clock.
    public func save(_ lines: [String], from url: URL, at date: Date = Date()) {
        guard let cookieURL = CookieURL(url) else { return }
        let cookies = lines.compactMap { line in
            SetCookie(line).flatMap { Cookie($0, from: cookieURL, at: date) }
        }
        table.withLock { $0.keep(cookies, from: cookieURL, at: date) }
    }

    /// Removes all cookies.
    public func removeAll() {
        table.withLock { $0 = CookieTable() }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies. An expired cookie counts until another one replaces it.
    public var description: String {
        let count = table.withLock { $0.count }
        return "CookieJar(\(count) \(count == 1 ? "cookie" : "cookies"))"
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
