extension Redaction {
    /// A header field's value as it may be printed; an address in one is shown as ``address(_:)`` shows it.
    public func value(ofHeader name: String, _ value: String) -> String {
        let name = name.lowercased()
        if headerNames.contains(name) { return Self.mask }
        guard Self.addressFields.contains(name) else { return value.singleLine() }
        return URL(string: value).map(address)?.singleLine() ?? Self.mask
    }

    private static let addressFields: Set<String> = ["location", "content-location", "referer"]

    /// An address as it may be printed: no user information, secret query values masked, no fragment.
    ///
    /// Fragments are left out whole: OAuth's implicit answers carry tokens there.
    public func address(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "‹unreadable address›" }
        let hadUser = parts.percentEncodedUser != nil
        parts.percentEncodedUser = nil
        parts.percentEncodedPassword = nil
        parts.fragment = nil
        let query = parts.percentEncodedQuery.map(maskedQuery)
        parts.percentEncodedQuery = nil
        let plain = parts.string ?? "‹unreadable address›"
        let address = hadUser ? plain.replacingOccurrences(of: "://", with: "://\(Self.mask)@") : plain
        return address + (query.map { "?" + $0 } ?? "")
    }

    private func maskedQuery(_ query: String) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let plainName = (name.removingPercentEncoding ?? String(name)).lowercased()
            return queryNames.contains(plainName) && name.count < item.count ? "\(name)=\(Self.mask)" : String(item)
        }.joined(separator: "&")
    }

    /// A body as it may be printed: JSON with secret keys masked, other text shortened, bytes counted.
    ///
    /// At most `limit` characters; anything that can't be read as JSON or UTF-8 text is shown by its size alone.
    public func body(_ data: Data, limit: Int = 512) -> String {
        if let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
            let masked = maskedJSON(json, depth: 0)
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
            if let text = try? JSONSerialization.data(withJSONObject: masked, options: options) {
                return String(decoding: text, as: UTF8.self).singleLine(limit: limit)
            }
        }
        return "‹\(data.count) bytes›"
    }

    private func maskedJSON(_ value: Any, depth: Int) -> Any {
        guard depth < 64 else { return "…" }
        if let object = value as? [String: Any] {
            return Dictionary(
                uniqueKeysWithValues: object.map { key, member in
                    (key, jsonKeys.contains(Self.jsonForm(key)) ? Self.mask : maskedJSON(member, depth: depth + 1))
                })
        }
        if let list = value as? [Any] { return list.map { maskedJSON($0, depth: depth + 1) } }
        return value
    }
}
