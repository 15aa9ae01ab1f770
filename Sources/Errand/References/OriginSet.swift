/// The origins of some addresses.
package struct OriginSet: Sendable {
    private let origins: Set<Origin>
    /// How the usual spelling of an address of each origin begins, up to the end of its authority.
    private let beginnings: [String]

    /// Takes the origins of addresses; what is no address of a server has none.
    package init(_ addresses: [URL]) {
        let servers = addresses.filter { $0.host() != nil }
        origins = Set(servers.map(Origin.init))
        beginnings = servers.compactMap(Self.beginning)
    }

    /// Whether there is none.
    package var isEmpty: Bool { origins.isEmpty }

    /// Whether an address has one of the origins.
    package func contains(_ url: URL?) -> Bool {
        guard let url else { return false }
        // An address is seldom spelt in another way, and to take it apart costs more than all else that a call needs here.
        let text = url.absoluteString
        return beginnings.contains { text.hasPrefix($0) } || origins.contains(Origin(url))
    }

    private static func beginning(of url: URL) -> String? {
        // An IPv6 address comes without its brackets.
        guard let scheme = url.scheme, let host = url.host(percentEncoded: true), !host.contains(":") else {
            return nil
        }
        return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")/"
    }
}
