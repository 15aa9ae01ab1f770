/// Scheme, host and port of an address: who gets what is sent there (RFC 6454, section 4).
///
/// Requests to one origin share connections; credentials of one origin are never sent to another. The scheme's own port
/// is the same as none.
package struct Origin: Sendable, Hashable {
    private let scheme: String
    private let host: String
    private let port: Int?

    /// The origin of an address; what is no address of a server equals no origin of one.
    package init(_ url: URL?) {
        scheme = url?.scheme?.lowercased() ?? ""
        host = url?.host(percentEncoded: true)?.lowercased() ?? ""
        port = url?.port ?? (scheme == "http" ? 80 : scheme == "https" ? 443 : nil)
    }

    /// The same for all addresses of the origin, and for no other.
    var text: String { "\(scheme)://\(host):\(port.map(String.init) ?? "")" }

    /// Whether the host is a loopback address: `localhost` (RFC 6761, section 6.3), 127.0.0.0/8
    /// (RFC 1122, section 3.2.1.3) or `::1` (RFC 4291, section 2.5.3).
    package var isLoopback: Bool {
        ["localhost", "::1", "[::1]"].contains(host)
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// By host and port: what has the same ones is seldom of another scheme.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }
}
