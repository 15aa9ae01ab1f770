import ErrandSupport

/// A `Set-Cookie` header, parsed with the leniency that user agents need (RFC 6265bis, section 5.6).
///
/// If an attribute is repeated, the last one applies (section 5.3). Unknown attributes are ignored.
package struct SetCookie: Sendable, Hashable {
    package let name: String
    package let value: Secret
    package private(set) var expires: Date?
    /// The `Max-Age` in seconds, clamped to the range of `Int`.
    package private(set) var maxAge: Int?
    /// The `Domain` without its leading dot. It is empty if the attribute is only a dot.
    package private(set) var domain: String?
    /// The `Path`, or `nil` if it is missing or not absolute.
    package private(set) var path: String?
    /// Whether the cookie has a `Path` attribute, absolute or not.
    package private(set) var hasPath: Bool = false
    package private(set) var isSecure: Bool = false
    package private(set) var isHTTPOnly: Bool = false

    /// Parses a `Set-Cookie` line. Returns `nil` if the cookie has no name, or if the line contains a control character
    /// (RFC 6265bis, section 5.6, step 1).
    ///
    /// A cookie without a name could be sent as `__Host-a=1` (RFC 6265bis, section 5.7, step 21).
    package init?(_ line: String) {
        guard !line.utf8.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F }) else { return nil }
        var parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst(), let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        name = Self.trimmed(pair[..<equals])
        value = Secret(Self.trimmed(pair[pair.index(after: equals)...]))
        guard !name.isEmpty else { return nil }
        for part in parts { read(part) }
    }

    /// Parses an attribute (section 5.2, second algorithm, steps 3 to 6). An attribute that is too long is ignored.
    private mutating func read(_ part: Substring.UTF8View) {
        let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        let value = Self.trimmed(part[equals...].dropFirst())
        guard value.utf8.count <= Cookie.attributeLimit else { return }
        switch Self.trimmed(part[..<equals]).lowercased() {
        case "expires": expires = CookieDate.date(from: value) ?? expires
        case "max-age": maxAge = Self.age(value) ?? maxAge
        case "domain": if !value.isEmpty { domain = value.hasPrefix(".") ? String(value.dropFirst()) : value }
        case "path":
            path = value.utf8.first == UInt8(ascii: "/") ? value : nil
            hasPath = true
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }

    /// Parses a `Max-Age` (section 5.2.2): digits after an optional `-`.
    private static func age(_ text: String) -> Int? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text) ?? (isNegative ? .min : .max)
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { bytes.index(after: $0) } ?? start
        return String(Substring(bytes[start..<end]))
    }
}
