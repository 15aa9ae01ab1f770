extension BaseURL {
    /// Returns the URL of a path below this base.
    ///
    /// Exactly one slash joins the base and the path, regardless of the slashes on either side. Other double slashes
    /// are kept. An empty path returns the base. Dot segments, including `%2E`, are resolved (RFC 3986, section
    /// 5.2.4). The query of the base precedes the query of the path, joined by `&`. A colon in the first segment is
    /// text: `a:b` is a path.
    /// ```swift
    /// let base: BaseURL = "https://api.gallery.example/v2?key=1"
    /// try base.url(for: "photos/?page=2")        // https://api.gallery.example/v2/photos/?key=1&page=2
    /// ```
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` if the base is invalid, if the path
    ///   cannot be expanded (``APIPath/expand()``), if it leads above the route of the base, or if it would leave the
    ///   API. An absolute URL, `//host`, and a path that starts with `http:` or `https:` leave the API.
    public func url(for path: APIPath) throws(ServiceError) -> URL {
        let base = try components
        let reference = try path.expanded()
        var text = base.origin + (try Self.joined(base.path, reference.path))
        if let query = Self.merged(base.query, reference.query) { text += "?" + query }
        if let fragment = reference.fragment { text += "#" + fragment }
        guard let url = URL(exactly: text), url.absoluteString == text else {
            throw ServiceError(.configuration, "invalid URL of the path: expected a valid URL (RFC 3986)")
        }
        return url
    }

    private static func joined(_ base: String, _ path: String) throws(ServiceError) -> String {
        guard !path.isEmpty else { return base.isEmpty ? "/" : base }
        if leavesAPI(path) {
            throw ServiceError(.configuration, "expected a path below the base URL, found an absolute URL or '//'")
        }
        let rooted = path.hasRoot ? path : "/" + path
        let (resolved, climbs) = URIReference.removingDotSegments(rooted.plainDots)
        if climbs { throw ServiceError(.configuration, "expected a path below the base URL, found too many '..'") }
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
