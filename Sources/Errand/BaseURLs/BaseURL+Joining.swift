extension BaseURL {
    /// The address of a path under this base.
    ///
    /// Exactly one slash joins the two, whatever either side has; other doubled slashes stay. An empty path is the base
    /// itself. Dot segments are resolved (RFC 3986, section 5.2.4), also those written `%2E`. The base's query goes
    /// before the path's, joined by `&`. A colon in the first segment is plain text: `a:b` is a path.
    /// ```swift
    /// let base: BaseURL = "https://api.gallery.example/v2?key=1"
    /// try base.url(for: "photos/?page=2")        // https://api.gallery.example/v2/photos/?key=1&page=2
    /// ```
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` where the base is not valid, the path
    ///   can't be expanded (``APIPath/expand()``), climbs above the base's route, or would leave the API: an absolute
    ///   address, `//host`, or a path that starts with `http:` or `https:`.
    public func url(for path: APIPath) throws(ServiceError) -> URL {
        let base = try components
        let reference = try path.expanded()
        var text = base.origin + (try Self.joined(base.path, reference.path))
        if let query = Self.merged(base.query, reference.query) { text += "?" + query }
        if let fragment = reference.fragment { text += "#" + fragment }
        guard let url = URL(exactly: text), url.absoluteString == text else {
            throw ServiceError(.configuration, "the address of the path can't be represented as a URL")
        }
        return url
    }

    private static func joined(_ base: String, _ path: String) throws(ServiceError) -> String {
        guard !path.isEmpty else { return base.isEmpty ? "/" : base }
        if leavesAPI(path) { throw ServiceError(.configuration, "the path is an absolute address or starts with '//'") }
        let rooted = path.hasRoot ? path : "/" + path
        let (resolved, climbs) = URIReference.removingDotSegments(rooted.plainDots)
        if climbs { throw ServiceError(.configuration, "the path climbs above the route of its base URL") }
        let end = base.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        return (end.map { String(base[...$0]) } ?? "") + resolved
    }

    private static func leavesAPI(_ path: String) -> Bool {
        if path.hasPrefix("//") { return true }
        guard let scheme = URIReference(path).scheme?.lowercased() else { return false }
        return ["http", "https"].contains(scheme) || path.dropFirst(scheme.count).hasPrefix("://")
    }

    private static func merged(_ base: String?, _ path: String?) -> String? {
        guard let base else { return path }
        guard let path, !path.isEmpty else { return base }
        return base.hasSuffix("&") ? base + path : base + "&" + path
    }
}
