import ErrandSupport

/// Cookies in memory, by the rules for user agents of RFC 6265bis, the draft that replaces RFC 6265 (sections 5.1 to 5.8).
///
/// ```swift
/// var configuration = CurlSession.Configuration()
/// configuration.cookies = CookieJar()
/// let session = CurlSession(configuration)        // what a login sets goes with the next call
/// ```
/// - A cookie is kept until its `Max-Age`, or else `Expires`, and without both until the jar is dropped. What has a
///   date that has come is removed (section 5.3).
/// - Without `Domain` it goes to the host that set it alone; with it to that domain and all below. A domain that the
///   host is not part of is refused, and so are a single label such as `com` and a part of an IP address (section
///   5.1.3).
/// - It goes to its `Path` and all below, by default to the directory of the address that set it (section 5.1.4).
/// - A cookie with `Secure` is taken from https only and sent to https only. A cookie set over http neither replaces nor
///   shadows it: it is ignored if a `Secure` cookie of the same name has a domain above or below, and a path at or above
///   (section 5.7, step 16).
/// - A name that begins with `__Secure-` needs `Secure`. One that begins with `__Host-` needs `Secure`, `Path=/` and no
///   `Domain`. Case does not matter, and a cookie without its attributes is ignored (section 5.7, steps 19 and 20).
/// - A cookie without a name is ignored.
/// - Longer paths are sent first, then older cookies (section 5.8.3). `HttpOnly` and `SameSite` make no difference to a
///   program that has no scripts and no pages.
///
/// A name and its value may have 4,096 bytes together, the path 1,024: others are not taken, nor lines with control
/// characters; an attribute of more than 1,024 bytes is ignored. 50 cookies are kept for a domain and 3,000 in all.
/// Expired cookies are evicted first, then cookies without `Secure`, then the others. Among equals the least recently used
/// one is evicted.
///
/// - Important: There is no list of public suffixes: a host below `co.uk` may set cookies for all of `co.uk`. Give
///   servers that must not see each other's cookies a jar each.
///
/// Its description prints no names and no values.
public final class CookieJar: CookieInterceptor.Store {
    private let table = Locked(CookieTable())

    /// Makes an empty jar.
    public init() {}

    /// The `Cookie` header for a URL, or `nil` if there is nothing to send.
    ///
    /// - Parameters:
    ///   - url: The request's URL.
    ///   - date: The time at which cookies must not have expired. ``CookieInterceptor`` gives the time of the request's clock.
    /// - Returns: The header's value.
    public func cookies(for url: URL, at date: Date = Date()) -> String? {
        guard let address = CookieAddress(url) else { return nil }
        return table.withLock { $0.field(for: address, at: date) }
    }

    /// Takes the `Set-Cookie` lines of a response.
    ///
    /// - Parameters:
    ///   - lines: The values of its `Set-Cookie` headers, in their order.
    ///   - url: The URL that responded.
    ///   - date: The time from which `Max-Age` counts. ``CookieInterceptor`` gives the time of the request's clock.
    public func take(_ lines: [String], from url: URL, at date: Date = Date()) {
        guard let address = CookieAddress(url) else { return }
        let cookies = lines.compactMap { line in
            SetCookie(line).flatMap { Cookie($0, from: address, at: date) }
        }
        table.withLock { $0.keep(cookies, from: address, at: date) }
    }

    /// Forgets all cookies.
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

    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
