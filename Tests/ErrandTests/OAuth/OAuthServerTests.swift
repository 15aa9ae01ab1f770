import Errand
import Foundation
import TestSupport
import Testing

/// Tests against a real authorization server, which uses Authlib. `Tests/oauth.py` starts it, and `ERRAND_OAUTH` is its
/// URL.
///
/// The server verifies PKCE, accepts each refresh token once, and supports client credentials, devices and revocation.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: ProcessInfo.processInfo.environment["ERRAND_OAUTH"] != nil, "ERRAND_OAUTH is not set"))
struct OAuthServerTests {
    private static let back = "http://127.0.0.1:9/back"

    private func url(_ path: String) throws -> URL {
        let base = ProcessInfo.processInfo.environment["ERRAND_OAUTH"].flatMap { URL(string: $0) }
        return try #require(base).appending(path: path)
    }

    private func app() throws -> OAuthClient { OAuthClient(id: "app", tokenEndpoint: try url("token")) }

    private func service(_ authentication: OAuthClient.Authentication) throws -> OAuthClient {
        OAuthClient(id: "errand", tokenEndpoint: try url("token"), authentication: authentication)
    }

    private func authorization() throws -> OAuthClient.AuthorizationRequest {
        try app().authorizationRequest(at: url("authorize"), redirectURI: Self.back, scope: ["read"])
    }

    /// Opens the URL as a browser would, and returns the redirect target.
    private func open(_ request: OAuthClient.AuthorizationRequest) async throws -> URL {
        var options = RequestOptions()
        options.redirects = .manual
        let response = try await PlatformSession.platform.send(
            APIRequest(head: URLRequest(url: request.url), body: .none, options: options))
        return try #require(response.head.headers["Location"].flatMap { URL(string: $0) }, "\(response.head.status)")
    }

    private func signedIn() async throws -> OAuthToken {
        let request = try authorization()
        return try await app().token(for: request, callback: open(request))
    }

    private func status(_ account: OAuthAuthorizer) async throws -> Int {
        let session = PlatformSession.platform.intercepted(by: AuthorizationInterceptor(account, at: try url("")))
        return try await session.send(APIRequest(head: URLRequest(url: url("me")), body: .none)).head.status
    }

    private func expired(_ token: OAuthToken) -> OAuthToken {
        OAuthToken(access: token.access, refresh: token.refresh, expiry: Date(timeIntervalSinceNow: -1))
    }

    @Test func `an authorization code with PKCE yields a token only once`() async throws {
        let request = try authorization()
        let callback = try await open(request)
        let token = try await app().token(for: request, callback: callback)
        #expect(token.scope == ["read"] && token.refresh != nil)
        #expect(try await status(OAuthAuthorizer(app(), store: MemoryTokenStore(token))) == 200)
        let error = await #expect(throws: ServiceError.self) {
            try await app().token(for: request, callback: callback)
        }
        #expect(error?.oauthError?.code == .invalidGrant)
    }

    @Test func `an authorization code without its verifier is rejected`() async throws {
        let callback = try await open(authorization())
        // Another request of the same client, with another verifier. The callback is given its state.
        let thief = try authorization()
        let state = try #require(
            URLComponents(url: thief.url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "state" })
        var stolen = try #require(URLComponents(url: callback, resolvingAgainstBaseURL: true))
        stolen.queryItems = stolen.queryItems?.map { $0.name == "state" ? state : $0 }
        let forged = try #require(stolen.url)
        let error = await #expect(throws: ServiceError.self) { try await app().token(for: thief, callback: forged) }
        #expect(error?.oauthError?.code == .invalidGrant)
    }

    /// The server ends the session if a refresh token is used twice, so that a second refresh would be detected.
    @Test func `a hundred calls with an expired token rotate it once`() async throws {
        let first = try await signedIn()
        let store = MemoryTokenStore(expired(first))
        let events = EventLog()
        let account = OAuthAuthorizer(try app(), store: store) { events.add($0) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await status(account) } }
            for try await status in group { #expect(status == 200) }
        }
        let second = try #require(store.load())
        #expect(second.refresh != nil && second.refresh != first.refresh && second.access != first.access)
        let error = await #expect(throws: ServiceError.self) { try await app().refresh(first) }
        #expect(error?.oauthError?.code == .invalidGrant)
        #expect(try await status(OAuthAuthorizer(app(), store: MemoryTokenStore(expired(second)))) == 200)
        #expect(events.all.isEmpty)
    }

    @Test func `a refused token is rotated, and the call is replayed`() async throws {
        let token = try await signedIn()
        // The token has not expired, but the server does not accept it.
        let wrong = OAuthToken(access: Secret("nothing"), refresh: token.refresh, expiry: token.expiry)
        #expect(try await status(OAuthAuthorizer(app(), store: MemoryTokenStore(wrong))) == 200)
    }

    @Test(arguments: [OAuthClient.Authentication.basic(Secret("s")), .post(Secret("s"))])
    func `a service gets a token with its own credentials`(authentication: OAuthClient.Authentication) async throws {
        let token = try await service(authentication).clientCredentials(scope: ["read", "write"])
        #expect(token.scope == ["read", "write"] && token.refresh == nil)
        let account = OAuthAuthorizer(
            try service(authentication), grant: .clientCredentials(scope: ["read"]), store: MemoryTokenStore())
        #expect(try await status(account) == 200)
    }

    @Test func `a wrong secret is an invalid-client error`() async throws {
        let error = await #expect(throws: ServiceError.self) {
            try await service(.basic(Secret("x"))).clientCredentials()
        }
        #expect(error?.oauthError?.code == .invalidClient)
    }

    /// Authlib names the missing scope only in the body and not in a challenge (RFC 6750, section 3.1).
    @Test func `a refusal without a challenge is returned`() async throws {
        let token = try await service(.basic(Secret("s"))).clientCredentials(scope: ["write"])
        #expect(try await status(OAuthAuthorizer(app(), store: MemoryTokenStore(token))) == 403)
    }

    @Test func `a device gets a token when its user approves`() async throws {
        let device = try await app().deviceAuthorization(at: url("device"), scope: ["read"])
        let waiting = Task { try await app().token(for: device) }
        var yes = URLRequest(url: try url("device/approve"))
        yes.httpMethod = "POST"
        yes.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        yes.httpBody = Data("user_code=\(device.userCode)".utf8)
        _ = try await PlatformSession.platform.send(APIRequest(yes))
        #expect(try await status(OAuthAuthorizer(app(), store: MemoryTokenStore(waiting.value))) == 200)
    }

    @Test func `a revoked token ends the session`() async throws {
        let token = try await signedIn()
        try await app().revoke(token, at: url("revoke"))
        let events = EventLog()
        let account = OAuthAuthorizer(try app(), store: MemoryTokenStore(token)) { events.add($0) }
        let error = await #expect(throws: ServiceError.self) { try await status(account) }
        #expect(error?.oauthError?.code == .invalidGrant && events.all == ["ended"])
    }
}
