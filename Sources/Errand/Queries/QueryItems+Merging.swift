import ErrandSupport

extension QueryItems {
    /// An address with these items set in its query.
    ///
    /// An item of the address is replaced where its decoded name is, byte for byte, a name in this list; every other one
    /// keeps its bytes and its place before the new ones, also `flag`, `a=b=c`, `a=%2B` and empty items. `+` is a plus
    /// sign here, as RFC 3986 has it, not a space. The fragment stays.
    /// - Parameter url: The address, with or without a query.
    /// - Returns: The address with the items; the very one that was given where there are none. Of a relative `URL` with a
    ///   base it is absolute.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` where the address is not a valid one (RFC 3986),
    ///   so that its bytes could not be kept.
    package func merge(into url: URL) throws(ServiceError) -> URL {
        guard !isEmpty else { return url }
        let address = url.absoluteString
        let end = address.firstIndex(of: "#") ?? address.endIndex
        let mark = address[..<end].firstIndex(of: "?")
        let query = mark.map { String(address[address.index(after: $0)..<end]) } ?? ""
        let merged = String(address[..<(mark ?? end)]) + "?" + merge(into: query) + address[end...]
        guard let result = URL(exactly: merged) else {
            throw ServiceError(.encoding, "the address is not valid, so its query can't be set")
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
