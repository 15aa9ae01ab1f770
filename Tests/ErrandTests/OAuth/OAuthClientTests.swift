import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct OAuthClientTests {
    private let clock = PollingClock()

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func client(
        _ replies: [CannedReply], _ authentication: OAuthClient.Authentication = .none,
        endpoint: String = "https://login.test/token"
    ) throws -> (script: ScriptedSession, client: OAuthClient) {
        let script = ScriptedSession(replies)
        let client = OAuthClient(
            id: "my app", tokenEndpoint: try url(endpoint), authentication: authentication, session: script)
        return (script, client)
    }

    private func form(_ request: APIRequest?) -> String {
        String(decoding: request?.body.data ?? Data(), as: UTF8.self)
    }

    private static let plain = CannedReply.json(
        #"{"access_token":"A","token_type":"bearer","expires_in":60,"refresh_token":"R","scope":"x y"}"#)

    @Test func `client credentials are exchanged for a token`() async throws {
        let (script, client) = try client([Self.plain], .basic(Secret("s:+")))
        let token = try await client.clientCredentials(scope: ["x", "y"], time: clock)
        #expect(token.access.reveal() == "A" && token.refresh?.reveal() == "R" && token.scope == ["x", "y"])
        #expect(token.expiry == clock.date + 60)
        #expect(form(script.recorded.first) == "grant_type=client_credentials&scope=x+y")
        let basic = Data("my+app:s%3A%2B".utf8).base64EncodedString()
        #expect(script.recorded.first?.headers["Authorization"] == "Basic \(basic)")
        #expect(script.recorded.first?.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(script.recorded.first?.options.delivery == .buffered(upTo: 65_536))
    }

    @Test func `grant parameters take precedence over additional parameters`() async throws {
        let script = ScriptedSession([Self.plain, Self.plain])
        let client = OAuthClient(
            id: "app", tokenEndpoint: try url("https://login.test/token"),
            parameters: ["audience": "https://api.test", "grant_type": "x", "client_id": "y"], session: script)
        _ = try await client.refresh(client.clientCredentials(time: clock), time: clock)
        #expect(
            script.recorded.map(form) == [
                "audience=https%3A%2F%2Fapi.test&client_id=app&grant_type=client_credentials",
                "audience=https%3A%2F%2Fapi.test&client_id=app&grant_type=refresh_token&refresh_token=R",
            ])
    }

    @Test func `a refresh keeps the values that the server omits`() async throws {
        let bare = CannedReply.json(#"{"access_token":"B","token_type":"Bearer"}"#)
        let (script, client) = try client([bare], .post(Secret("s")))
        let token = try await client.refresh(
            OAuthToken(access: Secret("A"), refresh: Secret("R"), scope: ["x"]), time: clock)
        #expect(token == OAuthToken(access: Secret("B"), refresh: Secret("R"), scope: ["x"]))
        #expect(
            form(script.recorded.first) == "client_id=my+app&client_secret=s&grant_type=refresh_token&refresh_token=R")
    }

    @Test(arguments: [
        (CannedReply.json(#"{"error":"invalid_grant"}"#, status: 400), "invalid_grant" as String?),
        (.json(#"{"error":"invalid_client"}"#, status: 401), "invalid_client"),
        (.json(#"{"error":"hush hush"}"#, status: 400), "unreadable"), (.json("{}", status: 400), nil),
        (.json(#"{"error":"invalid_grant"}"#, status: 500), nil),
        (.json(#"{"error":"invalid_grant"}"#), "invalid_grant"),
        (.json(#"{"error":"bad_refresh_token","error_description":"hush"}"#), "bad_refresh_token"),
        (.json(#"{"error":"hush hush"}"#), "unreadable"), (.json(#"{"error":null}"#), nil), (.json("{}"), nil),
        (.json(#"{"error":"invalid_grant"}"#, status: 201), nil),
        (.json(#"{"error":"odd","access_token":"hush","token_type":"mac"}"#), nil),
        (.status(302).header("Location", "https://evil.test/"), nil), (.text("hush", status: 200), nil),
        (.json(#"{"access_token":"hush","token_type":"mac"}"#), nil), (.json(#"{"access_token":"hush"}"#), nil),
        (.json(#"{"access_token":"","token_type":"bearer"}"#), nil),
        (.json(#"{"access_token":"hush\n","token_type":"bearer"}"#), nil),
        (.json(#"{"access_token":"hush","token_type":"bearer","expires_in":-1}"#), nil),
        (.json(#"{"access_token":"hush","token_type":"bearer","expires_in":"soon"}"#), nil),
        (.json(#"{"access_token":"hush","token_type":"bearer","expires_in":1e999}"#), nil),
    ])
    func `an invalid token response is an error without its text`(reply: CannedReply, code: String?) async throws {
        let (_, client) = try client([reply])
        let error = await #expect(throws: ServiceError.self) { try await client.clientCredentials() }
        #expect(error?.code == .authorization && error?.oauthError?.code.rawValue == code)
        var text = "\(String(reflecting: error))"
        dump(error, to: &text)
        #expect(!text.contains("hush"))
    }

    @Test(arguments: [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "server_error", "temporarily_unavailable", "authorization_pending",
        "slow_down", "expired_token", "unsupported_token_type", "invalid_target", "login_required",
        "bad_refresh_token",
    ])
    func `a registered error code is printed`(code: String) async throws {
        let (_, client) = try client([.json(#"{"error":"\#(code)"}"#, status: 400)])
        let error = await #expect(throws: ServiceError.self) { try await client.clientCredentials() }
        #expect(error?.reason == "the authorization server returned \(code)")
    }

    @Test(arguments: ["tGzv3JOkF0XG5Qx2TlKWIA", "TGZV3JOKF0XG5QX2TLKWIA", "vendor_specific"])
    func `an unregistered error code is not printed`(code: String) async throws {
        let body = #"{"error":"\#(code)","error_description":"\#(code)","error_uri":"https://x.test/\#(code)"}"#
        let (_, client) = try client([.json(body, status: 400)])
        let token = OAuthToken(access: Secret("A"), refresh: Secret("tGzv3JOkF0XG5Qx2TlKWIA"))
        let error = try #require(await #expect(throws: ServiceError.self) { try await client.refresh(token) })
        #expect(error.reason == "the authorization server returned an unregistered error code")
        let cause = try #require(error.oauthError)
        let texts = SecretScan.texts(error) + SecretScan.texts(cause) + SecretScan.texts(cause.code)
        #expect(texts.filter { $0.contains(code) } == [])
        // A program may handle a code that its server defines, but a secret must not appear as a code.
        #expect(cause.code.rawValue == (code == "vendor_specific" ? code : "unreadable"))
    }

    @Test(arguments: [("7200", 7_200.0), (#""7200""#, 7_200), ("1e300", 315_360_000), ("0", 0)])
    func `a token lifetime is limited to ten years`(text: String, seconds: Double) async throws {
        let (_, client) = try client([.json(#"{"access_token":"A","token_type":"Bearer","expires_in":\#(text)}"#)])
        #expect(try await client.clientCredentials(time: clock).expiry == clock.date + seconds)
    }

    @Test func `a token response is limited, and secrets require https`() async throws {
        let large = CannedReply.data(Data(repeating: 32, count: 65_537))
        let error = await #expect(throws: ServiceError.self) { try await client([large]).client.clientCredentials() }
        #expect(error?.code == .bodyTooLarge)
        let (script, open) = try client([], endpoint: "http://login.test/token")
        let refused = await #expect(throws: ServiceError.self) { try await open.clientCredentials() }
        #expect(refused?.code == .configuration && script.recorded.isEmpty)
    }

    @Test func `a browser sign-in exchanges its code with PKCE`() async throws {
        let (script, client) = try client([Self.plain])
        let request = try client.authorizationRequest(
            at: url("https://login.test/authorize?tenant=7"), redirectURI: "app://back", scope: ["x", "y"],
            random: FixedRandom(fraction: 0))
        let state = String(repeating: "A", count: 22)
        let proof = PKCE(random: FixedRandom(fraction: 0))
        #expect(
            request.url.absoluteString == "https://login.test/authorize?tenant=7&client_id=my%20app&code_challenge="
                + "\(proof.challenge)&code_challenge_method=S256&redirect_uri=app%3A%2F%2Fback&response_type=code"
                + "&scope=x%20y&state=\(state)")
        #expect(!"\(request)".contains(state))
        _ = try await client.token(for: request, callback: url("app://back?code=c%2B1+2&state=\(state)"))
        #expect(
            form(script.recorded.first) == "client_id=my+app&code=c%2B1+2&code_verifier=\(proof.verifier.reveal())"
                + "&grant_type=authorization_code&redirect_uri=app%3A%2F%2Fback")
    }

    @Test(arguments: [
        ("code=c&state=other", nil as String?), ("code=c", nil), ("state=STATE", nil), ("code=&state=STATE", nil),
        ("", nil),
        ("code=c&code=d&state=STATE", nil), ("code=c&state=STATE&state=STATE", nil),
        ("error=access_denied&state=STATE", "access_denied"), ("error=access_denied", nil),
        ("error=a%20b&state=STATE", "unreadable"),
    ])
    func `a callback that does not match its request gets no token`(query: String, code: String?) async throws {
        let (script, client) = try client([])
        let request = try client.authorizationRequest(
            at: url("https://login.test/a"), redirectURI: "app://back", random: FixedRandom(fraction: 0))
        let callback = try url("app://back?" + query.replacing("STATE", with: String(repeating: "A", count: 22)))
        let error = await #expect(throws: ServiceError.self) {
            try await client.token(for: request, callback: callback)
        }
        #expect(error?.code == .authorization && error?.oauthError?.code.rawValue == code)
        #expect(script.recorded.isEmpty)
    }

    private static let device = CannedReply.json(
        #"""
        {"device_code":"D","user_code":"WDJB","verification_uri":"https://login.test/device","expires_in":600,
         "verification_uri_complete":"javascript:x","interval":7}
        """#)

    private static func problem(_ code: String, status: Int = 400) -> CannedReply {
        .json(#"{"error":"\#(code)","interval":12}"#, status: status)
    }

    /// RFC 8628 specifies status 400. GitHub responds with 200.
    @Test(arguments: [400, 200])
    func `a device sign-in polls at the interval of the server`(status: Int) async throws {
        let lost = CannedReply.failure(ServiceError(.timeout, "silent"))
        let (script, client) = try client([
            Self.device, Self.problem("authorization_pending", status: status),
            Self.problem("slow_down", status: status), lost, Self.plain,
        ])
        let device = try await client.deviceAuthorization(
            at: url("https://login.test/start"), scope: ["x"], time: clock)
        #expect(device.userCode == "WDJB" && device.completeURL == nil && !"\(device)".contains("WDJB"))
        let token = try await client.token(for: device)
        #expect(token.access.reveal() == "A")
        #expect(clock.jumps.waits == [.seconds(7), .seconds(7), .seconds(12), .seconds(24)])
        let grant = "client_id=my+app&device_code=D&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        #expect(form(script.recorded.first) == "client_id=my+app&scope=x" && form(script.recorded.last) == grant)
    }

    @Test(arguments: ["access_denied", "expired_token", "invalid_grant"], [400, 200])
    func `a denied or expired device sign-in is an error`(code: String, status: Int) async throws {
        let (_, client) = try client([Self.device, Self.problem(code, status: status)])
        let device = try await client.deviceAuthorization(at: url("https://login.test/start"), time: clock)
        let error = await #expect(throws: ServiceError.self) { try await client.token(for: device) }
        #expect(error?.oauthError?.code.rawValue == code)
    }

    @Test func `the lifetimes of a device code and a token are optional`() async throws {
        let bare = #"{"device_code":"D","user_code":"W","verification_uri":"https://login.test/device"}"#
        let token = #"{"access_token":"A","token_type":"bearer","expires_in":null}"#
        let (_, client) = try client([.json(bare), .json(token)])
        let device = try await client.deviceAuthorization(at: url("https://login.test/start"), time: clock)
        #expect(device.deadline.remaining == .seconds(900))
        #expect(try await client.token(for: device) == OAuthToken(access: Secret("A")))
    }

    @Test(arguments: [400, 200])
    func `a refused device authorization reports the server's code`(status: Int) async throws {
        let (_, client) = try client([Self.problem("device_flow_disabled", status: status)])
        let error = await #expect(throws: ServiceError.self) {
            try await client.deviceAuthorization(at: url("https://login.test/start"), time: clock)
        }
        #expect(error?.oauthError?.code.rawValue == "device_flow_disabled")
    }

    @Test func `a device code expires, and a cancelled poll ends`() async throws {
        let (_, client) = try client([Self.device] + Array(repeating: Self.problem("authorization_pending"), count: 90))
        let device = try await client.deviceAuthorization(at: url("https://login.test/start"), time: clock)
        let error = await #expect(throws: ServiceError.self) { try await client.token(for: device) }
        #expect(error?.oauthError?.code == .expiredToken && clock.now <= .seconds(600))
        let slow = ManualClock()
        let script = ScriptedSession([Self.device])
        let other = OAuthClient(id: "a", tokenEndpoint: try url("https://login.test/t"), session: script)
        let waiting = try await other.deviceAuthorization(at: url("https://login.test/start"), time: slow)
        let call = Task { try await other.token(for: waiting) }
        try await slow.waitForSleepers()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `a token is revoked`() async throws {
        let (script, client) = try client([.status(200), Self.problem("unsupported_token_type")])
        let token = OAuthToken(access: Secret("A"), refresh: Secret("R"))
        try await client.revoke(token, at: url("https://login.test/revoke"))
        #expect(form(script.recorded.first) == "client_id=my+app&token=R&token_type_hint=refresh_token")
        await #expect(throws: ServiceError.self) {
            try await client.revoke(OAuthToken(access: Secret("A")), at: url("https://login.test/revoke"))
        }
    }
}

/// A clock that skips the waits between polls. The deadline of a request never passes on it.
private struct PollingClock: TimeSource {
    let jumps = InstantClock()
    var now: Duration { jumps.now }
    var date: Date { jumps.date }

    func sleep(until instant: Duration) async throws {
        guard instant - now >= .seconds(30) else { return try await jumps.sleep(until: instant) }
        await waitUntilCancelled()
        throw CancellationError()
    }
}
