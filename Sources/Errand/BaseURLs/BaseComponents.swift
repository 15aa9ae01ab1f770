import ErrandSupport

/// The checked parts of a ``BaseURL``; everything is percent-encoded.
struct BaseComponents: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: Int?
    /// Empty, or a path that starts with a slash and has no dot segments.
    let path: String
    let query: String?

    /// Checks parts that were given one by one.
    init(scheme: String, host: String, port: Int?, route: String, query: String? = nil) throws(ServiceError) {
        self.scheme = scheme.lowercased()
        guard ["http", "https"].contains(self.scheme) else { throw Self.invalid("its scheme is not http or https") }
        if let port, !(1...65_535).contains(port) { throw Self.invalid("its port is not one of 1 to 65535") }
        self.host = try Self.host(host)
        self.port = port
        path = try Self.path(route)
        self.query = query.flatMap { $0.isEmpty ? nil : $0.encodedComponent }
    }

    /// Reads a text such as `https://api.gallery.example:8443/v2?key=1`; without `scheme://` it means `https`.
    init(_ text: String, needsScheme: Bool) throws(ServiceError) {
        try Self.check(text)
        var parts = URIReference(text)
        if parts.scheme == nil || parts.authority == nil {
            if needsScheme { throw Self.invalid("it has no scheme or no host") }
            parts = URIReference("https://" + text)
        }
        if parts.fragment != nil { throw Self.invalid("it has a fragment") }
        let authority = parts.authority ?? ""
        if authority.utf8.contains(UInt8(ascii: "@")) {
            throw Self.invalid("it has user information; credentials belong into a header field")
        }
        let (host, port) = try Self.hostAndPort(authority)
        try self.init(scheme: parts.scheme ?? "", host: host, port: port, route: parts.path, query: parts.query)
    }

    /// Scheme, host and port, as they begin an address.
    var origin: String { scheme + "://" + host + (port.map { ":\($0)" } ?? "") }

    /// The whole base as one text.
    var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

    private static func path(_ route: String) throws(ServiceError) -> String {
        try check(route)
        if route.utf8.contains(where: "?#".utf8.contains) { throw invalid("its route has a '?' or '#'") }
        guard !route.isEmpty else { return "" }
        let encoded = route.encodedComponent
        let (path, climbs) = URIReference.removingDotSegments((encoded.hasRoot ? encoded : "/" + encoded).plainDots)
        if climbs { throw invalid("its route climbs above the root") }
        return path
    }

    private static func hostAndPort(_ authority: String) throws(ServiceError) -> (host: String, port: Int?) {
        let bytes = authority.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !authority.hasSuffix("]") else {
            return (authority, nil)
        }
        let digits = bytes[bytes.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit), let port = Int(String(Substring(digits))) else {
            throw invalid("what follows the ':' of its host is not a port")
        }
        return (String(authority[..<colon]), port)
    }

    private static func check(_ text: String) throws(ServiceError) {
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw invalid("it has a control character")
        }
        if text.utf8.contains(where: "{}".utf8.contains) { throw invalid("it has a '{' or '}'; a base is no template") }
        let edges = [text.unicodeScalars.first, text.unicodeScalars.last].compactMap(\.self)
        if edges.contains(where: \.properties.isWhitespace) { throw invalid("it starts or ends with white space") }
    }

    static func invalid(_ what: String) -> ServiceError {
        ServiceError(.configuration, "the base URL is not valid: \(what)")
    }
}

extension String {
    /// This text as a path or query may hold it: valid triplets stay, a lone `%` and brackets are encoded.
    fileprivate var encodedComponent: String {
        percentEncoded(keepingReserved: true)
            .replacingOccurrences(of: "[", with: "%5B").replacingOccurrences(of: "]", with: "%5D")
    }

    /// This path with the dot segments that are written `%2E` written plainly.
    var plainDots: String {
        split(separator: "/", omittingEmptySubsequences: false).map { $0.dotSegment ?? String($0) }
            .joined(separator: "/")
    }
}
