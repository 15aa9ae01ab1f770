import ErrandSupport

/// What of an address matters for cookies: host, path, and whether the way there is secure (RFC 6265, section 5.1).
package struct CookieAddress: Sendable, Hashable {
    /// The most bytes of a host: no name that can be looked up has more (RFC 1035, section 2.3.4).
    private static let hostLimit = 255

    /// The host in lower case and ASCII (section 5.1.2).
    package let host: String
    /// The path, percent-encoded; at least `/`.
    package let path: String
    /// Whether it is https.
    package let isSecure: Bool

    /// Takes an address apart; nil for one whose host no server can have.
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

extension CookieAddress {
    /// Whether the host is a domain or below it (section 5.1.3).
    package func isWithin(domain: String) -> Bool {
        domains.contains(domain)
    }

    /// The host and every domain that it is below of, the longest first; an IP address is below of none.
    package var domains: [String] {
        guard !isNumeric else { return [host] }
        let dots = host.utf8.indices.filter { host.utf8[$0] == UInt8(ascii: ".") }
        return [host] + dots.map { String(host[host.utf8.index(after: $0)...]) }.filter { !$0.isEmpty }
    }

    /// Whether the path is another or below it (section 5.1.4).
    package func isWithin(path other: String) -> Bool { Self.isPath(path, within: other) }

    /// Whether a path is another or below it (section 5.1.4).
    static func isPath(_ path: String, within other: String) -> Bool {
        guard path.utf8.starts(with: other.utf8) else { return false }
        let rest = path.utf8.dropFirst(other.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || other.utf8.last == UInt8(ascii: "/")
    }

    /// Whether a cookie's domain is another or below it (section 5.1.3). Only a host that is not an IP address
    /// has cookies of a domain above it, so that labels can be compared.
    static func isDomain(_ domain: String, within other: String) -> Bool {
        let surplus = domain.utf8.count - other.utf8.count
        guard surplus > 0 else { return domain == other }
        let rest = domain.utf8.dropFirst(surplus - 1)
        return rest.first == UInt8(ascii: ".") && rest.dropFirst().elementsEqual(other.utf8)
    }

    /// The path of cookies that name none: up to the last `/`, without it (section 5.1.4).
    package var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Where a cookie with such a `Domain` belongs; nil where this host must not set one (section 5.3, steps 4 to 6).
    ///
    /// A single label counts as a public suffix: only the host of that name may name it, and is alone with it.
    func scope(of domain: String) -> (domain: String, isHostOnly: Bool)? {
        guard let domain = try? BaseComponents.host(domain), isWithin(domain: domain) else { return nil }
        let isSingle = domain.split(separator: ".").count < 2
        guard domain == host || !isSingle else { return nil }
        return (domain, isSingle || isNumeric)
    }

    /// Whether the host is an IP address, in any form that something may take for one: its last label is a number
    /// (URL standard, section 3.5).
    private var isNumeric: Bool {
        guard host.utf8.first != UInt8(ascii: "["), let last = host.split(separator: ".").last else { return true }
        if last.utf8.allSatisfy(\.isDigit) { return true }
        return last.hasPrefix("0x") && last.utf8.dropFirst(2).allSatisfy { $0.hexValue != nil }
    }
}
