/// Which names hide their values in descriptions, logs and errors: the one policy of the library.
///
/// Header names and query names are compared without case; JSON keys too, and without `_` and `-`, so that
/// `access_token` and `accessToken` are one.
///
/// ```swift
/// var options = RequestOptions()
/// options.redaction.headerNames.insert("x-session")
/// ```
public struct Redaction: Sendable, Hashable {
    /// What stands where a value was.
    public static let mask: String = "‹redacted›"

    /// Header field names, in lower case.
    public var headerNames: Set<String>
    /// Query item names, in lower case.
    public var queryNames: Set<String>
    /// JSON keys, in lower case, without `_` and `-`.
    public var jsonKeys: Set<String>

    /// Makes a policy; names are brought to the compared form.
    public init(headerNames: Set<String>, queryNames: Set<String>, jsonKeys: Set<String>) {
        self.headerNames = Set(headerNames.map { $0.lowercased() })
        self.queryNames = Set(queryNames.map { $0.lowercased() })
        self.jsonKeys = Set(jsonKeys.map(Self.jsonForm))
    }

    /// The names that usually carry credentials.
    public static let standard: Redaction = Redaction(
        headerNames: [
            "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
            "x-access-token", "x-csrf-token", "www-authenticate", "authentication-info",
        ],
        queryNames: [
            "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "key", "client_id",
            "client_secret", "password", "secret", "code", "signature", "sig", "x-amz-signature", "x-amz-credential",
            "x-amz-security-token",
        ],
        jsonKeys: [
            "access_token", "refresh_token", "id_token", "token", "api_key", "client_secret", "password", "secret",
            "authorization", "code_verifier", "device_code",
        ]
    )

    static func jsonForm(_ key: String) -> String {
        key.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
