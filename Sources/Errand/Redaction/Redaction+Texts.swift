import ErrandSupport

extension Redaction {
    /// Returns the printable value of a header: the mask if its name is hidden, otherwise one line with masked secrets
    /// as in ``text(_:)``.
    public func value(ofHeader name: String, _ value: String) -> String {
        if hides(name) { return Self.mask }
        return Self.urlHeaders.contains(name.lowercased()) ? masked(url: value).singleLine() : text(value)
    }

    /// The headers that have a URL as their value.
    private static let urlHeaders: Set<String> = ["location", "content-location", "referer"]

    /// Returns a printable URL: without user information and fragment, and with masked values of hidden query items.
    ///
    /// The complete fragment is removed, because OAuth's implicit responses contain tokens in it.
    public func url(_ url: URL) -> String {
        masked(url: String(url.absoluteString.prefix { $0 != "#" })).singleLine()
    }

    /// Returns a complete URL without its secrets. In a text that is only a URL, `;` and `,` do not end a value.
    package func masked(url: String) -> String {
        let path = maskedUsers(String(url.prefix { $0 != "?" }))
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let masked = maskedPairs(String(segment))
            return masked.range(of: "=\(Self.mask)").map { String(masked[..<$0.upperBound]) } ?? masked
        }
        let query = url.firstIndex(of: "?").map { "?" + maskedForm(String(url[$0...].dropFirst())) }
        return segments.joined(separator: "/") + (query ?? "")
    }

    /// Returns a printable text on one line. User information in URLs and the values of hidden names in `name=value`
    /// pairs are masked.
    public func text(_ text: String) -> String {
        masked(text).singleLine()
    }

    static let printableBytes = 16_384

    /// Like ``text(_:)``, but not shortened and with its line breaks, for a text that is used and not only printed.
    package func masked(_ text: String) -> String {
        text.hasTooManyMarks ? Self.mask : maskedPairs(maskedUsers(text))
    }

    private func maskedUsers(_ text: String) -> String {
        // A relative reference may have user information without a scheme (RFC 3986, section 4.2).
        let parts = text.components(separatedBy: "//")
        let rest = parts.dropFirst().map { part in
            let authority = part.unicodeScalars.prefix { !"/?# \"<>".unicodeScalars.contains($0) }
            guard let at = authority.lastIndex(of: "@") else { return part }
            return Self.mask + part[at...]
        }
        return ([parts[0]] + rest).joined(separator: "//")
    }

    /// Masks the text after `name=` up to the next separator.
    private func maskedPairs(_ text: String) -> String {
        var shown = ""
        var pair = ""
        let separators = "?&;,<> \"\t\r\n".unicodeScalars
        func finish() {
            let name = pair.prefix { $0 != "=" }
            let isPair = name.count < pair.count && hides(name.removingPercentEncoding ?? String(name))
            shown += isPair ? "\(name)=\(Self.mask)" : pair
            pair = ""
        }
        // In a string of characters, a line feed after a carriage return would not be found.
        for scalar in text.unicodeScalars {
            if separators.contains(scalar) {
                finish()
                shown.unicodeScalars.append(scalar)
            } else {
                pair.unicodeScalars.append(scalar)
            }
        }
        finish()
        return shown
    }

    /// Returns a printable body: a JSON object or array with masked values of hidden keys. Any other body is
    /// represented by its size.
    ///
    /// The result has at most `limit` characters.
    public func body(_ data: Data, limit: Int = 512) -> String {
        if !CombiningMarks.exceedLimit(inJSON: data), let json = try? JSONSerialization.jsonObject(with: data),
            let text = try? JSONSerialization.data(
                withJSONObject: maskedJSON(json, depth: 0), options: [.sortedKeys, .withoutEscapingSlashes])
        {
            return String(decoding: text, as: UTF8.self).singleLine(limit: limit)
        }
        return "‹\(data.count) bytes›"
    }

    private func maskedJSON(_ value: Any, depth: Int) -> Any {
        guard depth < 64 else { return "…" }
        if let object = value as? [String: Any] {
            let members = object.map { key, member in
                (key, hides(key) ? Self.mask : maskedJSON(member, depth: depth + 1))
            }
            return Dictionary(members, uniquingKeysWith: { first, _ in first })
        }
        if let list = value as? [Any] { return list.map { maskedJSON($0, depth: depth + 1) } }
        return value
    }
}
