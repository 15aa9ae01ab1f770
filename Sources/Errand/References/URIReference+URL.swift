import ErrandSupport

extension URL {
    /// The address that a reference names, seen from this one (RFC 3986, section 5.2).
    ///
    /// Its components are exactly those that were written, but for characters that they may not hold, which are
    /// percent-encoded (section 2.1), and the dot segments of the path. Nil where it is no address.
    package func resolving(_ reference: String) -> URL? {
        let reference = URIReference(reference).percentEncoded
        let target = reference.resolved(against: URIReference(absoluteString))
        // Without an authority a path can't begin with two slashes (section 3.3): `http:/.//a` would name a host.
        guard target.authority != nil || !target.path.hasPrefix("//") else { return nil }
        let text = target.text
        guard let url = URL(exactly: text) else { return nil }
        return url.absoluteString == text ? url : nil
    }
}

extension URIReference {
    /// This reference with the characters encoded that no URI may hold, or not in their place: brackets belong to a
    /// host, and a `#` starts the fragment once (section 3).
    fileprivate var percentEncoded: URIReference {
        var copy = self
        copy.authority = authority?.percentEncoded(keepingReserved: true)
        copy.path = Self.encoded(path)
        copy.query = query.map(Self.encoded)
        copy.fragment = fragment.map(Self.encoded)
        return copy
    }

    private static func encoded(_ text: String) -> String {
        text.percentEncoded(keepingReserved: true).replacing("[", with: "%5B").replacing("]", with: "%5D")
            .replacing("#", with: "%23")
    }
}
