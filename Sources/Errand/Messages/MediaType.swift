import ErrandSupport

/// A media type and its charset, in lower case and without other parameters (RFC 9110, section 8.3.1).
package struct MediaType: Sendable, Hashable {
    package let type: String
    package let subtype: String
    package let charset: String?

    package init?(_ text: String) {
        let parts = text.split(separator: ";").map { $0.trimmed(.whitespaces) }
        let names = (parts.first ?? "").lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ String($0).isToken }) else { return nil }
        type = String(names[0])
        subtype = String(names[1])
        charset =
            parts.dropFirst().lazy.compactMap { parameter -> String? in
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, pair[0].lowercased() == "charset" else { return nil }
                return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\" ")).lowercased()
            }.first
    }

    package init?(of head: ResponseHead) {
        guard let value = head.headers["Content-Type"] else { return nil }
        self.init(value)
    }

    package var essence: String { "\(type)/\(subtype)" }
    package var isProblem: Bool { essence == "application/problem+json" }

    /// Returns whether this type matches a pattern such as `application/json`, `image/*` or `*/*`.
    package func matches(_ pattern: String) -> Bool {
        guard let pattern = MediaType(pattern) else { return false }
        return (pattern.type == "*" || pattern.type == type) && (pattern.subtype == "*" || pattern.subtype == subtype)
    }
}
