import ErrandSupport

extension URL {
    /// Resolves a reference against this URL (RFC 3986, section 5.2).
    ///
    /// The components keep their exact text, except that invalid characters are percent-encoded (section 2.1) and the
    /// dot segments of the path are removed. Returns `nil` if the result is not a valid URL.
    package func resolving(_ reference: String) -> URL? {
        let reference = URIReference(reference).percentEncoded
        let target = reference.resolved(against: URIReference(absoluteString))
        // A path without an authority cannot begin with two slashes (section 3.3): `http:/.//a` would name a host.
        guard target.authority != nil || !target.path.hasPrefix("//") else { return nil }
        let text = target.text
        guard let url = URL(exactly: text) else { return nil }
        return url.absoluteString == text ? url : nil
    }
}

extension URIReference {
    /// This reference with percent-encoded invalid characters. Brackets are valid only in a host, and `#` only once, at
    /// the start of the fragment (section 3).
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
