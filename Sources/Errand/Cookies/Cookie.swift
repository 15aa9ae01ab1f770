/// A stored cookie (RFC 6265bis, section 5.7).
package struct Cookie: Sendable, Hashable {
    /// The maximum size of the name and the value together, in bytes. Section 6.1 requires at least this limit.
    package static let limit: Int = 4_096
    /// The maximum size of an attribute and of a path, in bytes.
    package static let attributeLimit: Int = 1_024

    package let name: String
    package let value: Secret
    /// The domain, or the host if ``isHostOnly`` is true.
    package let domain: String
    package let isHostOnly: Bool
    package let path: String
    /// The expiry date. If `nil`, the cookie lives as long as its store.
    package let expiry: Date?
    package let isSecure: Bool
    /// Whether the cookie has the `HttpOnly` attribute. It has no effect, because it concerns only scripts.
    package let isHTTPOnly: Bool

    /// Makes the cookie that a response sets. Returns `nil` if the response must not set it.
    ///
    /// - Parameters:
    ///   - set: The parsed `Set-Cookie` line.
    ///   - url: The URL of the response.
    ///   - date: The time at which the response was received.
    package init?(_ set: SetCookie, from url: CookieURL, at date: Date) {
        guard set.name.utf8.count + set.value.reveal().utf8.count <= Self.limit else { return nil }
        guard url.isSecure || !set.isSecure, set.keepsPrefix(at: url) else { return nil }
        let path = set.path ?? url.defaultPath
        guard path.utf8.count <= Self.attributeLimit else { return nil }
        if let domain = set.domain, !domain.isEmpty {
            guard let scope = url.scope(of: domain) else { return nil }
            (self.domain, isHostOnly) = scope
        } else {
            (domain, isHostOnly) = (url.host, true)
        }
        self.path = path
        name = set.name
        value = set.value
        expiry = set.maxAge.map { Self.expiry(ofAge: $0, at: date) } ?? set.expires
        isSecure = set.isSecure
        isHTTPOnly = set.isHTTPOnly
    }

    /// Returns the date for a `Max-Age`. If it is zero or negative, the result is the earliest date (section 5.2.2).
    private static func expiry(ofAge age: Int, at date: Date) -> Date {
        age <= 0 ? .distantPast : min(.distantFuture, date + TimeInterval(age))
    }
}

extension Cookie {
    /// Returns whether the cookie has expired.
    package func hasExpired(at date: Date) -> Bool {
        expiry.map { $0 <= date } ?? false
    }

    /// Returns whether the cookie is sent to a URL at a time (section 5.4, step 1).
    package func isMeant(for url: CookieURL, at date: Date) -> Bool {
        (isHostOnly ? url.host == domain : url.isWithin(domain: domain))
            && url.isWithin(path: path) && (url.isSecure || !isSecure) && !hasExpired(at: date)
    }

    /// Returns whether the cookie overwrites another (RFC 6265bis, section 5.7, step 23).
    package func replaces(_ other: Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }

    /// Returns whether the cookie, if it is set over http, would shadow or replace a `Secure` cookie (RFC 6265bis,
    /// section 5.7, step 16).
    package func collides(withSecure other: Cookie) -> Bool {
        other.isSecure && name == other.name
            && (CookieURL.isDomain(domain, within: other.domain)
                || CookieURL.isDomain(other.domain, within: domain))
            && CookieURL.isPath(path, within: other.path)
    }
}

extension SetCookie {
    /// Returns whether the cookie has the attributes that the prefix of its name promises (RFC 6265bis, section 5.7,
    /// steps 19 and 20).
    fileprivate func keepsPrefix(at url: CookieURL) -> Bool {
        let name = name.lowercased()
        if name.hasPrefix("__secure-") { return isSecure }
        guard name.hasPrefix("__host-") else { return true }
        return isSecure && domain == nil && hasPath && (path ?? url.defaultPath) == "/"
    }
}
