import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite struct RedactionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let shown: String
        var testDescription: String { url }
    }

    @Test(arguments: [
        Row(url: "https://a.test/p?x=1", shown: "https://a.test/p?x=1"),
        Row(url: "https://eva:pw@a.test/p", shown: "https://‹redacted›@a.test/p"),
        Row(url: "https://a.test/p?access_token=abc&x=1", shown: "https://a.test/p?access_token=‹redacted›&x=1"),
        Row(url: "https://a.test/p?ACCESS_TOKEN=abc", shown: "https://a.test/p?ACCESS_TOKEN=‹redacted›"),
        Row(url: "https://a.test/p?access%5Ftoken=abc", shown: "https://a.test/p?access%5Ftoken=‹redacted›"),
        Row(url: "https://a.test/p?client_id=abc&key", shown: "https://a.test/p?client_id=‹redacted›&key"),
        Row(url: "https://a.test/p#access_token=abc", shown: "https://a.test/p"),
        Row(
            url: "https://a.test/?user%5Bpassword%5D=x&a=1", shown: "https://a.test/?user%5Bpassword%5D=‹redacted›&a=1"),
        Row(url: "https://a.test/?user.accessToken=x", shown: "https://a.test/?user.accessToken=‹redacted›"),
        Row(
            url: "https://a.test/?TOKEN%5B%5D=x&TOKEN%5B%5D=y",
            shown: "https://a.test/?TOKEN%5B%5D=‹redacted›&TOKEN%5B%5D=‹redacted›"),
        Row(url: "https://a.test/?a=1;token=x", shown: "https://a.test/?a=‹redacted›"),
        Row(url: "https://a.test/p;token=x,y;z/q;a=1?b=2", shown: "https://a.test/p;token=‹redacted›/q;a=1?b=2"),
        Row(url: "https://a.test/?token=x;y,z&b=1;2", shown: "https://a.test/?token=‹redacted›&b=1;2"),
        Row(
            url: "https://a.test/?code_verifier=x&client_assertion=y",
            shown: "https://a.test/?code_verifier=‹redacted›&client_assertion=‹redacted›"),
        Row(url: "https://a.test/?keyword=x&monkey=y", shown: "https://a.test/?keyword=x&monkey=y"),
    ])
    func `a URL is shown without its secrets`(row: Row) throws {
        let url = try #require(URL(string: row.url))
        #expect(Redaction.standard.url(url) == row.shown)
    }

    @Test func `a body is shown without its secrets`() {
        let body = Data(#"{"user":{"accessToken":"abc","name":"Eva"},"list":[{"client_secret":"x"}]}"#.utf8)
        let shown = Redaction.standard.body(body)
        #expect(shown == #"{"list":[{"client_secret":"‹redacted›"}],"user":{"accessToken":"‹redacted›","name":"Eva"}}"#)
        #expect(Redaction.standard.body(Data("token=abc".utf8)) == "‹9 bytes›")
        #expect(Redaction.standard.body(Data(#""abc""#.utf8)) == "‹5 bytes›")
    }

    @Test(arguments: [
        "Authorization", "X-Amz-Security-Token", "X-Goog-Api-Key", "Private-Token", "X-Vault-Token", "X-XSRF-Token",
        "Ocp-Apim-Subscription-Key", "Apikey", "X-Session-Token", "Cookie", "set-cookie", "PROXY-AUTHORIZATION",
        "X-Auth-Key", "X-Functions-Key", "DD-APPLICATION-KEY", "X-Parse-Master-Key", "masterKey", "X-Auth",
        "X-Authentication", "X-User-Auth", "X-Pass", "x_passcode",
        "DPoP", "dpop", "X-DPoP-Proof", "X-CSRF-Token", "X-CSRFToken", "X-Csrf", "X-XSRF", "Api-Key", "api_key",
        "X-Auth-Token", "X-GitHub-OTP", "X-Bearer", "X-Content-HMAC", "SAMLResponse", "X-SID", "x-sig", "X-Pwd",
    ])
    func `a header with credentials is redacted under any name`(name: String) {
        #expect(Redaction.standard.value(ofHeader: name, "x") == Redaction.mask)
    }

    @Test(arguments: [
        "Author", "Keywords", "Monkey", "X-Compass", "Idempotency-Key", "keyboard", "Accept", "Inside", "Signal",
        "Option",
    ])
    func `a header with a similar name is shown`(name: String) {
        #expect(Redaction.standard.value(ofHeader: name, "x") == "x")
    }

    @Test(arguments: [
        (
            "Link", #"<https://a.test/?page=2&access_token=x>; rel="next""#,
            #"<https://a.test/?page=2&access_token=‹redacted›>; rel="next""#
        ),
        ("Refresh", "0; url=https://eva:pw@a.test/?token=x", "0; url=https://‹redacted›@a.test/?token=‹redacted›"),
        ("Location", "/back?code=x&state=y", "/back?code=‹redacted›&state=y"),
        ("Location", "//eva:pw@a.test/p", "//‹redacted›@a.test/p"),
        ("Location", "https://a.test/cb?code=abc,def;g&x=1", "https://a.test/cb?code=‹redacted›&x=1"),
        ("referer", "/a;token=x,y/b", "/a;token=‹redacted›/b"),
        ("Link", "<//eva@a.test/>", "<//‹redacted›@a.test/>"),
        ("Content-Type", "text/plain; charset=utf-8", "text/plain; charset=utf-8"),
    ])
    func `a URL in a header is shown without its secrets`(name: String, value: String, shown: String) {
        #expect(Redaction.standard.value(ofHeader: name, value) == shown)
    }

    @Test func `a custom policy applies to the request, response and error`() async throws {
        var options = RequestOptions()
        for name in ["X-Tenant", "session_id", "SID"] { options.redaction.hide(name) }
        let policy = options.redaction
        #expect(policy.hides("x_tenant") && policy.hides("sessionId") && policy.hides("sid"))
        let body = Data("{}".utf8)
        let session = ScriptedSession([CannedReply(status: 404, headers: ["X-Tenant": Self.secret], chunks: [body])])
        let api = GreetingAPI(host: "policy.test") { $0.redaction = policy }
        let error = await #expect(throws: ServiceError.self) { try await APILoader(api, session: session).load("a") }
        let head = try #require(error?.response)
        #expect(!"\(head) \(String(reflecting: head))".contains(Self.secret))
    }

    private static let secret = "s3cr3t-0f-th3-c4ll"

    @Test func `no description of a call contains a secret`() throws {
        let url = try #require(URL(string: "https://eva:\(Self.secret)@a.test/p?token=\(Self.secret)"))
        var head = URLRequest(url: url)
        head.httpMethod = "POST"
        head.setValue("Bearer \(Self.secret)", forHTTPHeaderField: "Authorization")
        let request = APIRequest(head: head, body: .data(Data(Self.secret.utf8)))
        let headers: HeaderFields = [
            "Set-Cookie": Self.secret, "X-Api-Key": Self.secret, "Location": "/back?code=\(Self.secret)",
        ]
        let response = APIResponse(
            head: ResponseHead(status: 401, headers: headers, url: url), body: ResponseBody(Data(Self.secret.utf8)))
        var error = ServiceError(
            .status, "refused", underlying: URLError(.badURL, userInfo: ["url": url.absoluteString]))
        error.request = request.summary
        error.response = response.head
        error.body = Data(Self.secret.utf8)
        let values: [Any] = [
            Secret(Self.secret), request, request.body, request.summary, response, response.head, response.body,
            headers,
            headers[0], error, Loaded(value: 1, head: response.head), [error], Optional(error) as Any,
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [String(describing: value), String(reflecting: value), "\(value)", dumped] {
                #expect(!text.contains(Self.secret), "\(type(of: value))")
            }
        }
        #expect(error.localizedDescription.contains(Self.secret) == false)
        #expect(Secret(Self.secret).reveal() == Self.secret)
    }
}
