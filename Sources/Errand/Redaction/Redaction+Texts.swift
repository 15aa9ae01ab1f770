import ErrandSupport

extension Redaction {
    /// A header field's value as it may be printed: hidden, or on one line as ``text(_:)`` shows it.
    public func value(ofHeader name: String, _ value: String) -> String {
        if hides(name) { return Self.mask }
        return Self.addressFields.contains(name.lowercased()) ? masked(address: value).singleLine() : text(value)
    }

    /// The fields whose values are addresses.
    private static let addressFields: Set<String> = ["location", "content-location", "referer"]

    /// An address as it may be printed: no user information, hidden query values masked, no fragment.
    ///
    /// Fragments are left out whole: OAuth's implicit answers carry tokens there.
    public func address(_ url: URL) -> String {
        masked(address: String(url.absoluteString.prefix { $0 != "#" })).singleLine()
    }

    /// An address without its secrets, in full. In an address alone it is known where a value ends: `;` and `,` are part of
    /// it.
    package func masked(address: String) -> String {
        let path = maskedUsers(String(address.prefix { $0 != "?" }))
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let masked = maskedPairs(String(segment))
            return masked.range(of: "=\(Self.mask)").map { String(masked[..<$0.upperBound]) } ?? masked
        }
        let query = address.firstIndex(of: "?").map { "?" + maskedForm(String(address[$0...].dropFirst())) }
        return segments.joined(separator: "/") + (query ?? "")
    }

    /// A text that may hold addresses or `name=value` pairs, on one line, with user information and the values of hidden
    /// names masked.
    public func text(_ text: String) -> String {
        masked(text).singleLine()
    }

    static let printableBytes = 16_384

    /// As ``text(_:)``, but whole and with its line breaks: for where the text goes into something that is used.
    package func masked(_ text: String) -> String {
        text.hasTooManyMarks ? Self.mask : maskedPairs(maskedUsers(text))
    }

    private func maskedUsers(_ text: String) -> String {
        // Also without a scheme, as a relative reference may have it (RFC 3986, section 4.2).
        let parts = text.components(separatedBy: "//")
        let rest = parts.dropFirst().map { part in
            let authority = part.prefix { !"/?# \"<>".contains($0) }
            guard let at = authority.lastIndex(of: "@") else { return part }
            return Self.mask + part[at...]
        }
        return ([parts[0]] + rest).joined(separator: "//")
    }

    /// Masks what follows `name=` up to the next separator.
    private func maskedPairs(_ text: String) -> String {
        var shown = ""
        var pair = ""
        func finish() {
            let name = pair.prefix { $0 != "=" }
            let isPair = name.count < pair.count && hides(name.removingPercentEncoding ?? String(name))
            shown += isPair ? "\(name)=\(Self.mask)" : pair
            pair = ""
        }
        for character in text {
            if "?&;,<> \"\t\r\n".contains(character) {
                finish()
                shown.append(character)
            } else {
                pair.append(character)
            }
        }
        finish()
        return shown
    }

    /// A JSON object or array as it may be printed, hidden keys masked; of any other body the size alone.
    ///
    /// At most `limit` characters.
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
