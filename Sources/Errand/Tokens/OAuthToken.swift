/// A token of an authorization server (RFC 6749, section 5.1). No description shows its secrets.
public struct OAuthToken: Sendable, Hashable {
    /// The access token that authorizes requests.
    public let access: Secret
    /// The refresh token that is exchanged for a new access token. `nil` if the server sent none.
    public let refresh: Secret?
    /// The time at which the access token expires, by this machine's wall clock. `nil` if the server does not state it.
    public let expiry: Date?
    /// The scope of the token. If the server does not state it, the array is empty, and the requested scope applies.
    public let scope: [String]

    /// Creates a token. Its type is `Bearer`, the only supported type.
    public init(access: Secret, refresh: Secret? = nil, expiry: Date? = nil, scope: [String] = []) {
        self.access = access
        self.refresh = refresh
        self.expiry = expiry
        self.scope = scope
    }

    /// Returns this token, with the refresh token and the scope of its predecessor if its own are missing. A server
    /// that does not rotate refresh tokens omits them (RFC 6749, section 6).
    package func following(_ last: OAuthToken?) -> OAuthToken {
        OAuthToken(
            access: access, refresh: refresh ?? last?.refresh, expiry: expiry,
            scope: scope.isEmpty ? last?.scope ?? [] : scope)
    }
}

extension OAuthToken: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { "OAuthToken(\(Redaction.mask))" }
    /// An empty mirror: reflection shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthToken {
    /// The maximum number of bytes of a token's stored form: 64 kB.
    package static let storedLimit = 65_536

    private struct Stored: Codable {
        var access_token: String
        var refresh_token: String?
        /// Seconds since 1970.
        var expires_at: Double?
        var scope: String?
    }

    /// Returns the token as JSON for stores. The secrets are not encrypted.
    public func storedForm() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let stored = Stored(
            access_token: access.reveal(), refresh_token: refresh?.reveal(), expires_at: expiry?.timeIntervalSince1970,
            scope: scope.isEmpty ? nil : scope.joined(separator: " "))
        return try encoder.encode(stored)
    }

    /// Creates a token from the output of ``storedForm()``.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` for any other data. The error does not contain the
    ///   data.
    public init(storedForm bytes: Data) throws(ServiceError) {
        guard bytes.count <= Self.storedLimit, let stored = try? JSONDecoder().decode(Stored.self, from: bytes),
            !stored.access_token.isEmpty
        else { throw ServiceError(.file, "invalid stored token: expected the output of OAuthToken.storedForm()") }
        self.init(
            access: Secret(stored.access_token), refresh: stored.refresh_token.map(Secret.init),
            expiry: stored.expires_at.map { Date(timeIntervalSince1970: $0) },
            scope: (stored.scope ?? "").split(separator: " ").map(String.init))
    }
}
