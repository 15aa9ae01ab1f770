import ErrandJSON

/// Reads what a token endpoint answers (RFC 6749, sections 5.1 and 5.2).
///
/// An error has the status 400 or 401 there. GitHub answers 200, with the same members.
enum TokenAnswer {
    /// The longest life of a token that is believed: ten years.
    private static let longestLife: Double = 315_360_000

    private struct Members: Decodable {
        let access_token: String
        let token_type: String
        let expires_in: Seconds?
        let refresh_token: String?
        let scope: String?
    }

    /// A number of seconds; some servers write it as a text.
    struct Seconds: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let number = try? container.decode(Double.self)
            let text = number == nil ? try? container.decode(String.self) : nil
            guard let value = number ?? text.flatMap({ Double($0) }), value.isFinite, value >= 0 else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number of seconds")
            }
            self.value = value
        }
    }

    private struct Problem: Decodable {
        let error: String
    }

    /// What tells a token of a server that answers errors with 200.
    private struct Token: Decodable {
        let access_token: String?
    }

    static func token(_ answer: APIResponse, now: Date) throws(ServiceError) -> OAuthToken {
        guard answer.head.status == 200, decode(Token.self, answer)?.access_token != nil else { throw refusal(answer) }
        guard let members = decode(Members.self, answer) else { throw unreadable(answer) }
        guard members.token_type.lowercased() == "bearer" else {
            throw ServiceError(.authorization, "the token is not of the type Bearer")
        }
        guard isToken(members.access_token), members.refresh_token.map(isToken) ?? true else {
            throw unreadable(answer)
        }
        return OAuthToken(
            access: Secret(members.access_token), refresh: members.refresh_token.map(Secret.init),
            expiry: members.expires_in.map { now + min($0.value, longestLife) },
            scope: (members.scope ?? "").split(separator: " ").map(String.init))
    }

    /// The error that an answer is, or that it is none.
    static func refusal(_ answer: APIResponse) -> ServiceError {
        let canBeOne = answer.head.status == 200 || (400..<500).contains(answer.head.status)
        guard canBeOne, let problem = decode(Problem.self, answer) else {
            return unreadable(answer)
        }
        return .oauth(OAuthError.Code(problem.error, hiding: answer.head.secrets?.finder ?? SecretFinder([])))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ answer: APIResponse) -> Value? {
        answer.body.data.flatMap { try? FastJSONDecoder().decode(type, from: $0) }
    }

    /// Without the answer's body, which may hold a token.
    static func unreadable(_ answer: APIResponse) -> ServiceError {
        ServiceError(
            .authorization, "the authorization server answered \(answer.head.status), and nothing that is understood")
    }

    /// `1*VSCHAR` (appendix A.12).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
