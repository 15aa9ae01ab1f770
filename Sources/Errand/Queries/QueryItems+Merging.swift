import ErrandSupport

extension QueryItems {
    /// Returns a URL with these items set in its query.
    ///
    /// An item of the URL is replaced if its decoded name equals, byte for byte, the name of one of these items. All
    /// other items keep their bytes and their order, before the new items, including `flag`, `a=b=c`, `a=%2B` and empty
    /// items. `+` is a plus sign (RFC 3986), not a space. The fragment is kept.
    /// - Parameter url: The URL, with or without a query.
    /// - Returns: The URL with the items, or `url` itself if the list is empty. For a relative `URL` with a base, the
    ///   result is absolute.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the URL is not valid (RFC 3986), because its
    ///   bytes cannot be kept.
    package func merge(into url: URL) throws(ServiceError) -> URL {
        guard !isEmpty else { return url }
        let text = url.absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let mark = text[..<end].firstIndex(of: "?")
        let query = mark.map { String(text[text.index(after: $0)..<end]) } ?? ""
        let merged = String(text[..<(mark ?? end)]) + "?" + merge(into: query) + text[end...]
        guard let result = URL(exactly: merged) else {
            throw ServiceError(.encoding, "cannot set the query: expected a valid URL (RFC 3986)")
        }
        return result
    }

    private func merge(into existing: String) -> String {
        guard !existing.isEmpty else { return query }
        let names = Set(items.map { Array($0.name.utf8) })
        let kept = existing.split(separator: "&", omittingEmptySubsequences: false).filter { item in
            item.isEmpty || !names.contains(PercentEncoding.decoded(item.prefix { $0 != "=" }))
        }
        return (kept.map(String.init) + [query]).joined(separator: "&")
    }
}
