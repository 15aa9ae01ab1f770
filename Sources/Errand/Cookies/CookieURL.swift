import ErrandSupport

/// The components of a URL that determine its cookies: host, path and security (RFC 6265, section 5.1).
package struct CookieURL: Sendable, Hashable {
    /// The maximum length of a host in bytes. It is the limit of DNS names (RFC 1035, section 2.3.4).
    private static let hostLimit = 255

    /// The host in lowercase ASCII (section 5.1.2).
    package let host: String
    /// The percent-encoded path. It is at least `/`.
    package let path: String
    /// Whether the scheme is https.
    package let isSecure: Bool

    /// Extracts the components of a URL. Returns `nil` if its host is invalid.
    package init?(_ url: URL) {
        guard let name = url.host(percentEncoded: true), name.utf8.count <= Self.hostLimit else { return nil }
        let isBare = name.utf8.contains(UInt8(ascii: ":")) && name.utf8.first != UInt8(ascii: "[")
        guard let host = try? BaseComponents.host(isBare ? "[\(name)]" : name) else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
        isSecure = url.scheme?.lowercased() == "https"
    }
}

extension CookieURL {
    /// Returns whether the host is equal to a domain or is a subdomain of it (section 5.1.3).
    package func isWithin(domain: String) -> Bool {
        domains.contains(domain)
    }

    /// The host and its parent domains, longest first. An IP address has no parent domains.
    package var domains: [String] {
        guard !isNumeric else { return [host] }
        let dots = host.utf8.indices.filter { host.utf8[$0] == UInt8(ascii: ".") }
        return [host] + dots.map { String(host[host.utf8.index(after: $0)...]) }.filter { !$0.isEmpty }
    }

    /// Returns whether the path is equal to another path or below it (section 5.1.4).
    package func isWithin(path other: String) -> Bool { Self.isPath(path, within: other) }

    /// Returns whether a path is equal to another path or below it (section 5.1.4).
    static func isPath(_ path: String, within other: String) -> Bool {
        guard path.utf8.starts(with: other.utf8) else { return false }
        let rest = path.utf8.dropFirst(other.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || other.utf8.last == UInt8(ascii: "/")
    }

    /// Returns whether the domain of a cookie is equal to another domain or a subdomain of it (section 5.1.3).
    ///
    /// It compares labels. This is correct because only a host that is not an IP address has cookies of a parent
    /// domain.
    static func isDomain(_ domain: String, within other: String) -> Bool {
        let surplus = domain.utf8.count - other.utf8.count
        guard surplus > 0 else { return domain == other }
        let rest = domain.utf8.dropFirst(surplus - 1)
        return rest.first == UInt8(ascii: ".") && rest.dropFirst().elementsEqual(other.utf8)
    }

    /// The path of cookies without a `Path`: the part of the path before the last `/` (section 5.1.4).
    package var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Returns the scope of a cookie with a `Domain` attribute, or `nil` if this host must not set it (section 5.3,
    /// steps 4 to 6).
    ///
    /// A single label is treated as a public suffix. Only the host of that name may set it, and the cookie is
    /// host-only.
    func scope(of domain: String) -> (domain: String, isHostOnly: Bool)? {
        guard let domain = try? BaseComponents.host(domain), isWithin(domain: domain) else { return nil }
        let isSingle = domain.split(separator: ".").count < 2
        guard domain == host || !isSingle else { return nil }
        return (domain, isSingle || isNumeric)
    }

    /// Whether the host is an IP address, in any notation that an implementation may accept. The last label of such a
    /// host is a number (URL standard, section 3.5).
    private var isNumeric: Bool {
        guard host.utf8.first != UInt8(ascii: "["), let last = host.split(separator: ".").last else { return true }
        if last.utf8.allSatisfy(\.isDigit) { return true }
        return last.hasPrefix("0x") && last.utf8.dropFirst(2).allSatisfy { $0.hexValue != nil }
    }
}
