import ErrandSupport

/// The five components of a URI or of a relative reference, as text (RFC 3986, section 3 and appendix B).
///
/// Components are neither decoded, encoded nor validated. Any text can be split into components.
/// ```swift
/// URIReference("../g?y").resolved(against: URIReference("http://a/b/c/d")).text      // http://a/b/g?y
/// ```
package struct URIReference: Sendable, Hashable {
    package var scheme: String?
    package var authority: String?
    package var path: String
    package var query: String?
    package var fragment: String?

    /// Splits a text into its components.
    package init(_ text: String) {
        var rest = text.utf8[...]
        scheme = Self.scheme(of: &rest)
        fragment = Self.cut(&rest, after: UInt8(ascii: "#"))
        query = Self.cut(&rest, after: UInt8(ascii: "?"))
        if rest.starts(with: "//".utf8) {
            let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            authority = String(Substring(host))
            rest = rest[host.endIndex...]
        }
        path = String(Substring(rest))
    }

    /// The text of the reference, recomposed from its components (section 5.3).
    package var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
            + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// Returns the target of this reference, resolved against a base URI (section 5.2.2, strict).
    package func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme == nil, authority == nil {
            target.authority = base.authority
            if path.isEmpty {
                target.path = base.path
                target.query = query ?? base.query
            } else {
                target.path = Self.removingDotSegments(path.hasRoot ? path : merged(with: base)).path
            }
        } else {
            target.path = Self.removingDotSegments(path).path
        }
        target.scheme = scheme ?? base.scheme
        return target
    }

    /// Returns a path without `.` and `..` segments (section 5.2.4), and whether a `..` segment had no parent to
    /// remove.
    package static func removingDotSegments(_ path: String) -> (path: String, climbs: Bool) {
        var input = path.utf8[...]
        var output: [Substring.UTF8View] = []
        var climbs = false
        while !input.isEmpty {
            let rooted = input.first == UInt8(ascii: "/")
            let segment = (rooted ? input.dropFirst() : input).prefix { $0 != UInt8(ascii: "/") }
            let rest = input[segment.endIndex...]
            let isDouble = segment.elementsEqual("..".utf8)
            if isDouble || segment.elementsEqual(".".utf8) {
                if isDouble, rooted, output.popLast() == nil { climbs = true }
                if rooted, rest.isEmpty { output.append("/"[...].utf8) }
                input = rooted ? rest : rest.dropFirst()
            } else {
                output.append(input[..<segment.endIndex])
                input = rest
            }
        }
        return (output.map { String(Substring($0)) }.joined(), climbs)
    }

    private func merged(with base: URIReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...slash] + path
    }

    private static func scheme(of rest: inout Substring.UTF8View) -> String? {
        let name = rest.prefix { $0.isAlphanumeric || "+-.".utf8.contains($0) }
        guard let first = name.first, first.isAlphanumeric, !first.isDigit else { return nil }
        guard name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ":") else { return nil }
        rest = rest[name.endIndex...].dropFirst()
        return String(Substring(name))
    }

    private static func cut(_ rest: inout Substring.UTF8View, after mark: UInt8) -> String? {
        guard let index = rest.firstIndex(of: mark) else { return nil }
        let tail = rest[index...].dropFirst()
        rest = rest[..<index]
        return String(Substring(tail))
    }
}

extension String {
    /// Whether this path starts with a slash, even if a combining character follows it.
    package var hasRoot: Bool { utf8.first == UInt8(ascii: "/") }
}
