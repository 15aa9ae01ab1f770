import Errand
import TestSupport
import Testing

@Suite struct CURLRedactionTests {
    private static let secret = "s3cr3t-0f-th3-c4ll"

    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        var type = "application/json"
        let shown: String
        var testDescription: String { body }
    }

    static let form = "application/x-www-form-urlencoded"

    @Test(arguments: [
        Row(
            body: #"{ "b" : 1.50, "access_token" : "S", "a":"it's" }"#,
            shown: #"{ "b" : 1.50, "access_token" : "‹redacted›", "a":"it's" }"#),
        Row(
            body: #"[{"tok\u0065n":"S"},{"secret":[1,{"x":"S"}]}]"#,
            shown: #"[{"tok\u0065n":"‹redacted›"},{"secret":"‹redacted›"}]"#),
        Row(body: #"{"a":{"token":"S"},"a":1}"#, shown: #"{"a":{"token":"‹redacted›"},"a":1}"#),
        Row(body: #"{"token":"S\"S\\","n":"}"}"#, shown: #"{"token":"‹redacted›","n":"}"}"#),
        Row(body: #"{"token":null,"pin":1234}"#, shown: #"{"token":"‹redacted›","pin":"‹redacted›"}"#),
        Row(body: #"["token","S"]"#, shown: #"["token","S"]"#),
        Row(
            body: #"{"next":"https://eva:S@h/?token=S&a=1"}"#,
            shown: #"{"next":"https://‹redacted›@h/?token=‹redacted›&a=1"}"#),
        Row(body: "a=1&pass%77ord=S%26S;S&b=it%27s", type: form, shown: "a=1&pass%77ord=‹redacted›&b=it%27s"),
        Row(body: "back=https%3A%2F%2Fh%2F%3Ftoken%3DS&a", type: form, shown: "back=‹redacted›&a"),
        Row(body: "user[password]=S&=&x=", type: form, shown: "user[password]=‹redacted›&=&x="),
    ])
    func `a body is redacted and otherwise unchanged`(row: Row) {
        let policy = Redaction.standard
        #expect((row.type == Self.form ? policy.maskedForm(row.body) : policy.maskedJSON(row.body)) == row.shown)
    }

    @Test func `only objects and arrays are redacted as JSON`() {
        for text in ["", "1", #""S""#, "{", "{\0\"\0a\0\"\0:\0001\0}\0", "{]"] {
            #expect(Redaction.standard.maskedJSON(text) == nil)
        }
    }

    /// Requests with a secret in every component that can hold one.
    static func requests() throws -> [APIRequest] {
        let url = try #require(
            URL(
                string: "https://eva:\(secret)@api.test/p?token=\(secret)&a=1;key=\(secret)"
                    + "&back=https%3A%2F%2Fh%2F%3Ftoken%3D\(secret)#\(secret)"))
        var head = URLRequest(url: url)
        head.httpMethod = "POST"
        for name in ["Authorization", "Cookie", "X-Api-Key", "X-Tenant"] {
            head.setValue("Bearer \(secret)", forHTTPHeaderField: name)
        }
        head.setValue("https://eva:\(secret)@h/?code=\(secret)", forHTTPHeaderField: "Referer")
        let bodies: [(String, Data)] = [
            ("application/json", Data(#"{"password":"\#(secret)","a":[{"refresh_token":"\#(secret)"}]}"#.utf8)),
            ("application/json", Data(#"{"a":{"pin":"\#(secret)"},"a":2}"#.utf8)),
            (form, Data("grant_type=x&client_secret=\(secret)&code=\(secret)".utf8)),
            ("text/plain", Data(secret.utf8)), ("application/json", Data("\"\(secret)\"".utf8)),
            ("application/octet-stream", Data("\0\(secret)".utf8)), (form, Data([0xFF]) + Data("a=\(secret)".utf8)),
            ("multipart/form-data; boundary=x", Data("--x\r\n\r\n\(secret)\r\n--x--".utf8)),
        ]
        let files: [RequestBody] = [.none, .stream { AsyncParts([Data(secret.utf8)]) }]
        return (bodies.map { (type, data) in (type as String?, RequestBody.data(data)) } + files.map { (nil, $0) })
            .map { type, body in
                var head = head
                if let type { head.setValue(type, forHTTPHeaderField: "Content-Type") }
                var request = APIRequest(head: head, body: body)
                request.options.redaction.hide("X-Tenant")
                return request
            }
    }

    @Test func `a redacted command contains no secret`() throws {
        let base64 = Data(Self.secret.utf8).base64EncodedString().prefix(12)
        for request in try Self.requests() {
            let command = request.cURLCommand()
            #expect(
                !command.contains(Self.secret) && !command.contains(base64) && !command.contains("base64"), "\(command)"
            )
            #expect(request.cURLCommand(revealingSecrets: true).contains(Self.secret))
        }
    }

    @Test func `a plain request is redacted by the standard policy`() throws {
        var request = URLRequest(url: try #require(URL(string: "https://api.test/?token=\(Self.secret)")))
        request.setValue(Self.secret, forHTTPHeaderField: "Authorization")
        #expect(!request.cURLCommand().contains(Self.secret))
        #expect(request.cURLCommand(revealingSecrets: true).contains("Authorization: \(Self.secret)"))
    }
}
