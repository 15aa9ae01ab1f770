import ErrandSupport

extension BaseComponents {
    /// Returns the host of a URL in lowercase ASCII.
    ///
    /// The platform maps letters that are not ASCII (UTS #46). The result must consist of letters, digits, `-` and `_`
    /// between single dots, so that no mapping and no encoding can move the end of the host.
    static func host(_ text: String) throws(ServiceError) -> String {
        guard !text.isEmpty else { throw invalid("expected a host") }
        if text.utf8.first == UInt8(ascii: "[") { return try bracketed(text) }
        guard let name = text.utf8.allSatisfy({ $0 < 0x80 }) ? text.lowercased() : mapped(text) else {
            throw invalid("expected a host that can be converted to ASCII")
        }
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard !labels.contains(where: \.isEmpty) else { throw invalid("expected a valid host, found an empty label") }
        if let stranger = name.utf8.first(where: { !$0.isAlphanumeric && !"-_.".utf8.contains($0) }) {
            let isIPv6 = name.contains("::") || name.utf8.count { $0 == UInt8(ascii: ":") } > 2
            throw invalid(
                isIPv6 ? "expected an IPv6 address in brackets" : "expected a valid host, found \(described(stranger))")
        }
        return name
    }

    private static func described(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: ":"): "a colon; pass the scheme and the port as `scheme:` and `port:`"
        case 0x21...0x7E: "\"\(Character(Unicode.Scalar(byte)))\""
        default: "a space or a control character"
        }
    }

    private static func mapped(_ text: String) -> String? {
        let prefix = "https://"
        guard let url = URL(string: prefix + text + "/"), url.absoluteString.hasPrefix(prefix) else { return nil }
        let host = url.absoluteString.dropFirst(prefix.count).dropLast().lowercased()
        return host.utf8.allSatisfy { $0 < 0x80 } ? host : nil
    }

    private static func bracketed(_ text: String) throws(ServiceError) -> String {
        let address = String(Substring(text.utf8.dropFirst().dropLast()))
        guard text.utf8.last == UInt8(ascii: "]"), isIPv6(address) else {
            throw invalid("expected an IPv6 address without a zone identifier in brackets")
        }
        return text.lowercased()
    }

    /// Returns whether a text is an `IPv6address` (RFC 3986, section 3.2.2).
    private static func isIPv6(_ text: String) -> Bool {
        let halves = text.components(separatedBy: "::")
        guard halves.count <= 2 else { return false }
        var groups = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            var fields = half.split(separator: ":", omittingEmptySubsequences: false)
            if index == halves.count - 1, let last = fields.last, last.utf8.contains(UInt8(ascii: ".")) {
                guard isIPv4(last) else { return false }
                fields.removeLast()
                groups += 2
            }
            guard fields.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.hexValue != nil } })
            else { return false }
            groups += fields.count
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        return fields.count == 4
            && fields.allSatisfy { field in
                field.utf8.allSatisfy(\.isDigit) && (field == "0" || field.utf8.first != UInt8(ascii: "0"))
                    && UInt8(field) != nil
            }
    }
}
