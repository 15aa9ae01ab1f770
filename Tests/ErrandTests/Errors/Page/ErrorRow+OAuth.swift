import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    private static func client(
        _ replies: CannedReply..., at endpoint: String = "https://login.example/token"
    ) throws -> OAuthClient {
        OAuthClient(id: "app", tokenEndpoint: try ErrorScene.url(endpoint), session: ScriptedSession(replies))
    }

    /// Exchanges the code of a callback. `{state}` in the query is the state of the request.
    private static func callBack(_ query: String) async throws -> OAuthToken {
        let app = try client()
        let request = try app.authorizationRequest(
            at: ErrorScene.url("https://login.example/authorize"), redirectURI: "app://callback")
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let state = items.first { $0.name == "state" }?.value ?? ""
        let callback = "app://callback?" + query.replacing("{state}", with: state)
        return try await app.token(for: request, callback: ErrorScene.url(callback))
    }

    private static var expired: OAuthToken {
        OAuthToken(access: Secret("a"), refresh: Secret("r"), expiry: Date(timeIntervalSince1970: 0))
    }

    private static func authorizer(
        _ store: any TokenStore = MemoryTokenStore(expired),
        renew: @escaping @Sendable () async throws -> OAuthToken = { throw ErrorScene.Broken() }
    ) -> OAuthAuthorizer {
        OAuthAuthorizer(store: store, renew: { _, _ in try await renew() })
    }

    /// Returns a request with a clock that stands still, so that the time limit of a refresh does not expire.
    private static func request(_ clock: any TimeSource = ManualClock()) throws -> APIRequest {
        var request = try ErrorScene.request()
        request.options.time = clock
        return request
    }

    static let oauth: [ErrorRow] = responsesOfServer + callbacks + refreshes + stores + seals

    private static let responsesOfServer: [ErrorRow] = [
        ErrorRow(.configuration, "The URL of the authorization server is not encrypted.", "Use its https URL.") {
            try await client(at: "http://login.example/token").clientCredentials()
        },
        ErrorRow(.authorization, "The authorization server refused the request.", "See `oauthError`.") {
            try await client(.json(#"{"error":"invalid_client"}"#, status: 401)).clientCredentials()
        },
        ErrorRow(.authorization, "The response is not OAuth JSON.", "Check the URL of the authorization server.") {
            try await client(.text("Not found", status: 404)).clientCredentials()
        },
        ErrorRow(.authorization, "The library supports only bearer tokens.", "Configure the authorization server.") {
            try await client(.json(#"{"access_token":"a","token_type":"mac"}"#)).clientCredentials()
        },
    ]

    private static let seals: [ErrorRow] = [
        ErrorRow(.configuration, "The key is not base64.", "Create it with `openssl rand -base64 32`.") {
            try ValueSeal(key: Secret("a key"))
        },
        ErrorRow(.configuration, "The key has another size.", "Create it with `openssl rand -base64 32`.") {
            try ValueSeal(key: Secret("AAEC"))
        },
        ErrorRow(.file, "The value was sealed with another key or name, or was changed.", "Pass the same key and name.")
        {
            try ValueSeal(key: Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")).open(Data(), context: "a")
        },
    ]

    private static let callbacks: [ErrorRow] = [
        ErrorRow(.authorization, "The callback is not from this authorization request.", "Start the sign-in again.") {
            try await callBack("state=other&code=a")
        },
        ErrorRow(.authorization, "The callback has a duplicate parameter.", "Start the sign-in again.") {
            try await callBack("state={state}&code=a&code=b")
        },
        ErrorRow(.authorization, "The callback has no code.", "Start the sign-in again.") {
            try await callBack("state={state}")
        },
    ]

    private static let refreshes: [ErrorRow] = [
        ErrorRow(.authorization, "No user is signed in.", "Sign in.") {
            let account = authorizer()
            try await account.signOut()
            return try await account.credentials(for: request())
        },
        ErrorRow(.authorization, "The token has expired and cannot be renewed.", "Sign in again.") {
            try await client().refresh(OAuthToken(access: Secret("a")))
        },
        ErrorRow(.authorization, "The refresh threw another error.", "See the cause in `underlying`.") {
            try await authorizer().credentials(for: request())
        },
        ErrorRow(.timeout, "The authorization server took too long.", "Retry later.") {
            let (clock, gate) = (ManualClock(), Gate())
            let account = authorizer {
                await gate.wait()
                return OAuthToken(access: Secret("b"))
            }
            defer { gate.open() }
            let call = try request(clock)
            async let credentials = account.credentials(for: call)
            try await clock.advance(by: .seconds(30), sleeping: 1)
            return try await credentials
        },
        ErrorRow(.authorization, "Another process signed out.", "Sign in again.") {
            let store = MemoryTokenStore(OAuthToken(access: Secret("a"), refresh: Secret("r")))
            let account = authorizer(store)
            let call = try request()
            let credentials = try await account.credentials(for: call)
            store.save(nil)
            let refusal = AuthorizationInterceptor.Refusal(try ErrorScene.head(401), of: call)
            return try await account.react(to: refusal, of: credentials)
        },
        ErrorRow(.authorization, "The program sends requests without a limit.", "Limit the concurrent requests.") {
            var machine = RefreshMachine<Int>()
            _ = machine.signIn(expired)
            machine.measure(lifetime: .zero, now: .zero)
            for waiter in 0...RefreshMachine<Int>.maximumWaiters {
                if case .fail(let failure) = machine.ask(waiter, now: .zero) { return failure.error }
            }
            return nil
        },
    ]

    private static let stores: [ErrorRow] = [
        ErrorRow(.file, "The folder of the file is missing, or not accessible.", "Choose another folder.") {
            try FileTokenStore(URL(filePath: "/missing/token")).save(expired)
        },
        ErrorRow(.file, "The stored token is damaged, or has another format.", "Sign in again.") {
            try OAuthToken(storedForm: Data("{}".utf8))
        },
    ]
}
