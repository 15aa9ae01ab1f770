/// A set of origins, created from URLs.
package struct OriginSet: Sendable {
    private let origins: Set<Origin>
    /// The start of a URL of each origin in its usual form, up to the end of the authority.
    private let beginnings: [String]

    /// Creates a set of the origins of URLs. URLs without a host are ignored.
    package init(_ urls: [URL]) {
        let servers = urls.filter { $0.host() != nil }
        origins = Set(servers.map(Origin.init))
        beginnings = servers.compactMap(Self.beginning)
    }

    /// Whether the set is empty.
    package var isEmpty: Bool { origins.isEmpty }

    /// Returns whether a URL has one of the origins.
    package func contains(_ url: URL?) -> Bool {
        guard let url else { return false }
        // A URL rarely has another form, and parsing it would cost more than all other work of the caller.
        let text = url.absoluteString
        return beginnings.contains { text.hasPrefix($0) } || origins.contains(Origin(url))
    }

    private static func beginning(of url: URL) -> String? {
        // `host` returns an IPv6 address without its brackets.
        guard let scheme = url.scheme, let host = url.host(percentEncoded: true), !host.contains(":") else {
            return nil
        }
        return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")/"
    }
}
