import ErrandSupport

/// The checked and percent-encoded components of a ``BaseURL``.
struct BaseComponents: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: Int?
    /// The path. It is empty, or starts with a slash and has no dot segments.
    let path: String
    let query: String?

    /// Checks separate components.
    init(scheme: String, host: String, port: Int?, route: String, query: String? = nil) throws(ServiceError) {
        self.scheme = scheme.lowercased()
        guard ["http", "https"].contains(self.scheme) else { throw Self.invalid("expected the scheme http or https") }
        if let port, !(1...65_535).contains(port) { throw Self.invalid("expected a port from 1 to 65535") }
        self.host = try Self.host(host)
        self.port = port
        path = try Self.path(route)
        self.query = query.flatMap { $0.isEmpty ? nil : $0.encodedComponent }
    }

    /// Parses a text such as `https://api.gallery.example:8443/v2?key=1`. Without `scheme://`, the scheme is `https`.
    init(_ text: String, needsScheme: Bool) throws(ServiceError) {
        try Self.check(text)
        var parts = URIReference(text)
        if parts.scheme == nil || parts.authority == nil {
            if needsScheme { throw Self.invalid("expected a scheme and a host") }
            parts = URIReference("https://" + text)
        }
        if parts.fragment != nil { throw Self.invalid("expected a URL without a fragment") }
        let authority = parts.authority ?? ""
        if authority.utf8.contains(UInt8(ascii: "@")) {
            throw Self.invalid("expected a URL without user information; send credentials in a header")
        }
        let (host, port) = try Self.hostAndPort(authority)
        try self.init(scheme: parts.scheme ?? "", host: host, port: port, route: parts.path, query: parts.query)
    }

    /// The scheme, the host and the port, as at the start of a URL.
    var origin: String { scheme + "://" + host + (port.map { ":\($0)" } ?? "") }

    /// The complete base URL.
    var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

    private static func path(_ route: String) throws(ServiceError) -> String {
        try check(route)
        if route.utf8.contains(where: "?#".utf8.contains) { throw invalid("expected a route without '?' and '#'") }
        guard !route.isEmpty else { return "" }
        let encoded = route.encodedComponent
        let (path, climbs) = URIReference.removingDotSegments((encoded.hasRoot ? encoded : "/" + encoded).plainDots)
        if climbs { throw invalid("expected a route below the root, found too many '..' segments") }
        return path
    }

    private static func hostAndPort(_ authority: String) throws(ServiceError) -> (host: String, port: Int?) {
        let bytes = authority.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !authority.hasSuffix("]") else {
            return (authority, nil)
        }
        let digits = bytes[bytes.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit), let port = Int(String(Substring(digits))) else {
            throw invalid("expected a port after the ':' of the host")
        }
        return (String(authority[..<colon]), port)
    }

    private static func check(_ text: String) throws(ServiceError) {
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw invalid("expected a URL without control characters")
        }
        if text.utf8.contains(where: "{}".utf8.contains) { throw invalid("expected a URL without '{' and '}'") }
        let edges = [text.unicodeScalars.first, text.unicodeScalars.last].compactMap(\.self)
        if edges.contains(where: \.properties.isWhitespace) {
            throw invalid("expected a URL without leading or trailing white space")
        }
    }

    static func invalid(_ what: String) -> ServiceError {
        ServiceError(.configuration, "invalid base URL: \(what)")
    }
}

extension String {
    /// This text, encoded for a path or a query. Valid triplets are kept. A lone `%` and brackets are encoded.
    fileprivate var encodedComponent: String {
        percentEncoded(keepingReserved: true)
            .replacingOccurrences(of: "[", with: "%5B").replacingOccurrences(of: "]", with: "%5D")
    }

    /// This path with `%2E` decoded in its dot segments.
    var plainDots: String {
        split(separator: "/", omittingEmptySubsequences: false).map { $0.dotSegment ?? String($0) }
            .joined(separator: "/")
    }
}
