import ErrandSupport

/// The `Host` header of a request (RFC 9110, section 7.2).
enum HostHeader {
    /// The error message for a malformed value. It omits the value, which may contain user information.
    static let refusal =
        "invalid Host header: expected a host with an optional port, such as \"api.example:8080\" or \"[::1]\""

    /// Returns whether a value is a host as in a URL, in ASCII, with an optional port.
    static func isValid(_ value: String) -> Bool {
        guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        let isBracketed = value.utf8.first == UInt8(ascii: "[")
        let end = isBracketed ? value.lastIndex(of: "]").map(value.index(after:)) : value.firstIndex(of: ":")
        let host = value[..<(end ?? value.endIndex)]
        guard (try? BaseComponents.host(String(host))) != nil else { return false }
        return host.endIndex == value.endIndex || isPort(value[host.endIndex...])
    }

    /// Returns whether a text is a colon with a port, which may be empty (RFC 3986, section 3.2.3).
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.dropFirst()
        guard text.utf8.first == UInt8(ascii: ":"), digits.utf8.allSatisfy(\.isDigit) else { return false }
        return digits.isEmpty || UInt16(digits).map { $0 > 0 } ?? false
    }
}
