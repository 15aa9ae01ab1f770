/// The scheme, host and port of a URL (RFC 6454, section 4).
///
/// Requests to one origin share connections. Credentials of one origin are never sent to another. The default port of
/// the scheme equals an omitted port.
package struct Origin: Sendable, Hashable {
    private let scheme: String
    private let host: String
    private let port: Int?

    /// Creates the origin of a URL. The origin of a URL without a host never equals that of a server.
    package init(_ url: URL?) {
        scheme = url?.scheme?.lowercased() ?? ""
        host = url?.host(percentEncoded: true)?.lowercased() ?? ""
        port = url?.port ?? (scheme == "http" ? 80 : scheme == "https" ? 443 : nil)
    }

    /// A text that is the same for all URLs of this origin, and different for all other origins.
    var text: String { "\(scheme)://\(host):\(port.map(String.init) ?? "")" }

    /// Whether the host is a loopback address: `localhost` (RFC 6761, section 6.3), 127.0.0.0/8
    /// (RFC 1122, section 3.2.1.3) or `::1` (RFC 4291, section 2.5.3).
    package var isLoopback: Bool {
        ["localhost", "::1", "[::1]"].contains(host)
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Hashes the host and the port only, because origins that differ only in their scheme are rare.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }
}
