/// A cookie as a store keeps it (RFC 6265bis, section 5.7).
package struct Cookie: Sendable, Hashable {
    /// The most bytes of a name and its value together (section 6.1 asks for no fewer).
    package static let limit: Int = 4_096
    /// The most bytes of an attribute, and of a path.
    package static let attributeLimit: Int = 1_024

    package let name: String
    package let value: Secret
    /// The domain or, where ``isHostOnly``, the host.
    package let domain: String
    package let isHostOnly: Bool
    package let path: String
    /// When it ends; nil for one that ends with its store.
    package let expiry: Date?
    package let isSecure: Bool
    /// Kept as a fact: it is meant for programs that run scripts.
    package let isHTTPOnly: Bool

    /// Makes the cookie that a response sets. Returns `nil` if the response must not set it.
    ///
    /// - Parameters:
    ///   - set: The parsed `Set-Cookie` line.
    ///   - address: The URL of the response.
    ///   - date: The time at which the response was received.
    package init?(_ set: SetCookie, from address: CookieAddress, at date: Date) {
        guard set.name.utf8.count + set.value.reveal().utf8.count <= Self.limit else { return nil }
        guard address.isSecure || !set.isSecure, set.keepsPrefix(at: address) else { return nil }
        let path = set.path ?? address.defaultPath
        guard path.utf8.count <= Self.attributeLimit else { return nil }
        if let domain = set.domain, !domain.isEmpty {
            guard let scope = address.scope(of: domain) else { return nil }
            (self.domain, isHostOnly) = scope
        } else {
            (domain, isHostOnly) = (address.host, true)
        }
        self.path = path
        name = set.name
        value = set.value
        expiry = set.maxAge.map { Self.expiry(ofAge: $0, at: date) } ?? set.expires
        isSecure = set.isSecure
        isHTTPOnly = set.isHTTPOnly
    }

    /// Section 5.2.2: no age is the earliest date there is.
    private static func expiry(ofAge age: Int, at date: Date) -> Date {
        age <= 0 ? .distantPast : min(.distantFuture, date + TimeInterval(age))
    }
}

extension Cookie {
    /// Whether its date has come.
    package func hasExpired(at date: Date) -> Bool {
        expiry.map { $0 <= date } ?? false
    }

    /// Whether it goes to an address then (section 5.4, step 1).
    package func isMeant(for address: CookieAddress, at date: Date) -> Bool {
        (isHostOnly ? address.host == domain : address.isWithin(domain: domain))
            && address.isWithin(path: path) && (address.isSecure || !isSecure) && !hasExpired(at: date)
    }

    /// Whether the cookie overwrites another (RFC 6265bis, section 5.7, step 23).
    package func replaces(_ other: Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }

    /// Whether the cookie, set over http, would shadow or replace a `Secure` cookie (RFC 6265bis, section 5.7, step 16).
    package func collides(withSecure other: Cookie) -> Bool {
        other.isSecure && name == other.name
            && (CookieAddress.isDomain(domain, within: other.domain)
                || CookieAddress.isDomain(other.domain, within: domain))
            && CookieAddress.isPath(path, within: other.path)
    }
}

extension SetCookie {
    /// Whether the cookie has the attributes that the prefix of its name promises (RFC 6265bis, section 5.7, steps 19
    /// and 20).
    fileprivate func keepsPrefix(at address: CookieAddress) -> Bool {
        let name = name.lowercased()
        if name.hasPrefix("__secure-") { return isSecure }
        guard name.hasPrefix("__host-") else { return true }
        return isSecure && domain == nil && hasPath && (path ?? address.defaultPath) == "/"
    }
}
