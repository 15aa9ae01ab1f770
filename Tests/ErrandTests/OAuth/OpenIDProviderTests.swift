import Errand
import Foundation
import TestSupport
import Testing

/// Tests against a real authorization server. `Tests/oidc.sh` starts it, and `ERRAND_OIDC` is its URL.
///
/// The server supports the code grant and the refresh grant. It does not support client credentials, ignores the PKCE
/// challenge, and keeps the same refresh token while it is valid.
@Suite(
    .timeLimit(.minutes(1)), .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["ERRAND_OIDC"] != nil, "ERRAND_OIDC is not set"))
struct OpenIDProviderTests {
    private static let back = "http://127.0.0.1:9/back"

    private func base() throws -> URL {
        try #require(ProcessInfo.processInfo.environment["ERRAND_OIDC"].flatMap { URL(string: $0) })
    }

    private func client() throws -> OAuthClient {
        OAuthClient(
            id: "errand", tokenEndpoint: try base().appending(path: "oauth2/token"), authentication: .basic(Secret("s"))
        )
    }

    private func authorization() throws -> OAuthClient.AuthorizationRequest {
        try client().authorizationRequest(
            at: base().appending(path: "oauth2/authorize"), redirectURI: Self.back, scope: ["openid", "email"])
    }

    /// Submits the server's page as a browser would, and returns the redirect target.
    private func press(_ button: String, _ request: OAuthClient.AuthorizationRequest) async throws -> URL {
        var head = URLRequest(url: request.url)
        head.httpMethod = "POST"
        head.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        head.httpBody = Data(button.utf8)
        var options = RequestOptions()
        options.redirects = .manual
        let response = try await PlatformSession.platform.send(APIRequest(head, options: options))
        return try #require(response.head.headers["Location"].flatMap { URL(string: $0) }, "\(response.head.status)")
    }

    private func signedIn() async throws -> OAuthToken {
        let request = try authorization()
        return try await client().token(for: request, callback: press("sub=ada@errand.test", request))
    }

    private func userInfo(_ account: OAuthAuthorizer) async throws -> APIResponse {
        let session = PlatformSession.platform.intercepted(by: AuthorizationInterceptor(account, at: try base()))
        return try await session.send(
            APIRequest(head: URLRequest(url: try base().appending(path: "userinfo")), body: .none))
    }

    @Test func `an authorization code yields a token that the server accepts`() async throws {
        let token = try await signedIn()
        #expect(token.refresh != nil && token.expiry.map { $0 > Date() } == true)
        let account = OAuthAuthorizer(try client(), store: MemoryTokenStore(token))
        let response = try await userInfo(account)
        let body = String(decoding: try await response.body.collect(), as: UTF8.self)
        #expect(response.head.status == 200 && body.contains("ada@errand.test"))
    }

    @Test func `a denied sign-in is an authorization error`() async throws {
        let request = try authorization()
        let callback = try await press("action=deny", request)
        let error = await #expect(throws: ServiceError.self) {
            try await client().token(for: request, callback: callback)
        }
        #expect(error?.code == .authorization)
    }

    @Test func `an expired token is refreshed and stored`() async throws {
        let first = try await signedIn()
        let old = OAuthToken(access: first.access, refresh: first.refresh, expiry: Date(timeIntervalSinceNow: -1))
        let store = MemoryTokenStore(old)
        #expect(try await userInfo(OAuthAuthorizer(try client(), store: store)).head.status == 200)
        let second = try #require(store.load())
        #expect(second.access != first.access && second.refresh != nil)
        let again = try await client().refresh(second)
        #expect(again.access != second.access)
    }

    @Test func `tokens that are revoked at the server end the session`() async throws {
        let token = try await signedIn()
        var revoke = URLRequest(url: try base().appending(path: "users/ada@errand.test/revoke-tokens"))
        revoke.httpMethod = "POST"
        _ = try await PlatformSession.platform.send(APIRequest(revoke))
        let events = EventLog()
        let old = OAuthToken(access: token.access, refresh: token.refresh, expiry: Date(timeIntervalSinceNow: -1))
        let account = OAuthAuthorizer(try client(), store: MemoryTokenStore(old)) { events.add($0) }
        let error = await #expect(throws: ServiceError.self) { try await userInfo(account) }
        #expect(error?.oauthError?.code == .invalidGrant && events.all == ["ended"])
    }

    @Test func `an unsupported grant is an error with its code`() async throws {
        let error = await #expect(throws: ServiceError.self) { try await client().clientCredentials() }
        #expect(error?.oauthError?.code.rawValue == "unsupported_grant_type")
    }
}
