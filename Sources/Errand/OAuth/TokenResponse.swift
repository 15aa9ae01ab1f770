import ErrandJSON

/// Decodes the responses of a token endpoint (RFC 6749, sections 5.1 and 5.2).
///
/// An error response has the status 400 or 401. GitHub sends 200, with the same members.
enum TokenResponse {
    /// The maximum lifetime of a token, ten years. A longer lifetime is reduced to it.
    private static let longestLife: Double = 315_360_000

    private struct Members: Decodable {
        let access_token: String
        let token_type: String
        let expires_in: Seconds?
        let refresh_token: String?
        let scope: String?
    }

    /// A number of seconds. Some servers encode it as a string.
    struct Seconds: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let number = try? container.decode(Double.self)
            let text = number == nil ? try? container.decode(String.self) : nil
            guard let value = number ?? text.flatMap({ Double($0) }), value.isFinite, value >= 0 else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "expected a non-negative number of seconds")
            }
            self.value = value
        }
    }

    private struct Problem: Decodable {
        let error: String
    }

    /// The member that distinguishes a token from an error, for servers that send errors with status 200.
    private struct Token: Decodable {
        let access_token: String?
    }

    static func token(_ response: APIResponse, now: Date) throws(ServiceError) -> OAuthToken {
        guard response.head.status == 200, decode(Token.self, response)?.access_token != nil else {
            throw refusal(response)
        }
        guard let members = decode(Members.self, response) else { throw unreadable(response) }
        guard members.token_type.lowercased() == "bearer" else {
            throw ServiceError(.authorization, "unsupported token type: expected Bearer, found another type")
        }
        guard isToken(members.access_token), members.refresh_token.map(isToken) ?? true else {
            throw unreadable(response)
        }
        return OAuthToken(
            access: Secret(members.access_token), refresh: members.refresh_token.map(Secret.init),
            expiry: members.expires_in.map { now + min($0.value, longestLife) },
            scope: (members.scope ?? "").split(separator: " ").map(String.init))
    }

    /// Returns the OAuth error of a response, or ``unreadable(_:)`` if it contains none.
    static func refusal(_ response: APIResponse) -> ServiceError {
        let canBeOne = response.head.status == 200 || (400..<500).contains(response.head.status)
        guard canBeOne, let problem = decode(Problem.self, response) else {
            return unreadable(response)
        }
        return .oauth(OAuthError.Code(problem.error, hiding: response.head.secrets?.finder ?? SecretFinder([])))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ response: APIResponse) -> Value? {
        response.body.data.flatMap { try? FastJSONDecoder().decode(type, from: $0) }
    }

    /// Returns the error for a malformed response, without its body, which may contain a token.
    static func unreadable(_ response: APIResponse) -> ServiceError {
        ServiceError(
            .authorization,
            "malformed response of the authorization server: expected OAuth JSON, found status \(response.head.status)")
    }

    /// Whether a text is `1*VSCHAR` (appendix A.12).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
