/// What an authorization server gives (RFC 6749, section 5.1). No description shows the tokens.
public struct OAuthToken: Sendable, Hashable {
    /// What goes into requests.
    public let access: Secret
    /// What a new access token is got with; nil where the server gave none.
    public let refresh: Secret?
    /// When the access token expires by this machine's wall clock; nil where the server does not say.
    public let expiry: Date?
    /// What it is good for; empty where the server does not say, so that it is what was asked for.
    public let scope: [String]

    /// Makes a token of its parts. Its type is `Bearer`, the only one that this library sends.
    public init(access: Secret, refresh: Secret? = nil, expiry: Date? = nil, scope: [String] = []) {
        self.access = access
        self.refresh = refresh
        self.expiry = expiry
        self.scope = scope
    }

    /// This token with the refresh token and scope of one that it follows, where it has none: a server that does not
    /// rotate leaves them out (RFC 6749, section 6).
    package func following(_ last: OAuthToken?) -> OAuthToken {
        OAuthToken(
            access: access, refresh: refresh ?? last?.refresh, expiry: expiry,
            scope: scope.isEmpty ? last?.scope ?? [] : scope)
    }
}

extension OAuthToken: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { "OAuthToken(\(Redaction.mask))" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthToken {
    /// The most bytes of a token's stored form: 64 kB.
    package static let storedLimit = 65_536

    private struct Stored: Codable {
        var access_token: String
        var refresh_token: String?
        /// Seconds since 1970.
        var expires_at: Double?
        var scope: String?
    }

    /// The token as JSON with its secrets in the clear, for stores.
    public func storedForm() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let stored = Stored(
            access_token: access.reveal(), refresh_token: refresh?.reveal(), expires_at: expiry?.timeIntervalSince1970,
            scope: scope.isEmpty ? nil : scope.joined(separator: " "))
        return try encoder.encode(stored)
    }

    /// Reads what ``storedForm()`` made.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` for anything else, without showing it.
    public init(storedForm bytes: Data) throws(ServiceError) {
        guard bytes.count <= Self.storedLimit, let stored = try? JSONDecoder().decode(Stored.self, from: bytes),
            !stored.access_token.isEmpty
        else { throw ServiceError(.file, "what is stored is no token") }
        self.init(
            access: Secret(stored.access_token), refresh: stored.refresh_token.map(Secret.init),
            expiry: stored.expires_at.map { Date(timeIntervalSince1970: $0) },
            scope: (stored.scope ?? "").split(separator: " ").map(String.init))
    }
}
