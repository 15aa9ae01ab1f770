import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChallengeTests {
    /// A header value and its parsed challenges: scheme, token68, parameters.
    static let rows: [(value: String, read: [String])] = [
        ("", []), (",, ,", []), ("Basic", ["Basic"]), ("Negotiate, NTLM", ["Negotiate", "NTLM"]),
        (#"Basic realm="simple""#, ["Basic realm=simple"]),
        // RFC 9110, section 11.6.1.
        (
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            ["Basic realm=simple", #"Newauth realm=apps type=1 title=Login to "apps""#]
        ),
        (#"Newauth realm="apps", type=1, Basic realm="simple""#, ["Newauth realm=apps type=1", "Basic realm=simple"]),
        (#"Bearer scope="a b, c", error="invalid_token""#, ["Bearer scope=a b, c error=invalid_token"]),
        ("Negotiate YII+/=, Basic realm=x", ["Negotiate <YII+/=>", "Basic realm=x"]),
        ("Custom abc==  ,  Basic", ["Custom <abc==>", "Basic"]), ("Bearer realm = \"x\"", ["Bearer realm=x"]),
        (#"bearer realm="x",,  , error = "y""#, ["bearer realm=x error=y"]),
        (#"Bearer realm="never closed, Basic"#, ["Bearer realm=never closed, Basic"]),
        (#"Bearer realm="ends with \"#, [#"Bearer realm=ends with \"#]),
        (
            #"Bearer authorization_uri=https://login.test/?a=b, error=x"#,
            ["Bearer authorization_uri=https://login.test/?a=b error=x"]
        ),
        (#"realm="x""#, ["realm"]), (#"@@ "a, b", Basic realm=x"#, ["Basic realm=x"]),
        (#"Bearer realm="x" error="y", scope=z"#, ["Bearer realm=x error=y scope=z"]),
        ("Bearer realm=", ["Bearer <realm=>"]), (#"Bearer realm=, error=x"#, ["Bearer <realm=> error=x"]),
        (#"Basic realm="ünï""#, ["Basic realm=ünï"]),
    ]

    @Test(arguments: rows) func `a malformed value is parsed as far as possible`(row: (value: String, read: [String])) {
        let read = AuthorizationInterceptor.Challenge.parse(row.value).map { challenge in
            ([challenge.scheme] + (challenge.token68.map { ["<\($0)>"] } ?? [])
                + challenge.parameters.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
        }
        #expect(read == row.read)
    }

    @Test func `challenges in several headers form one list`() throws {
        let headers: HeaderFields = [
            "WWW-Authenticate": "Basic realm=a",
            "www-authenticate": #"BEARER Realm="b", error="insufficient_scope", error_description="d", scope="x  y""#,
        ]
        #expect(headers.challenges.map(\.scheme) == ["Basic", "BEARER"])
        let bearer = try #require(headers.challenges.last)
        #expect(bearer.isScheme("bearer") && bearer.realm == "b" && bearer.error == "insufficient_scope")
        #expect(bearer.errorDescription == "d" && bearer.scope == ["x", "y"])
        #expect("\(bearer)" == "BEARER (insufficient_scope)")
    }

    @Test func `challenges are limited, and descriptions hide secrets`() {
        let many = (0..<100).map { "S\($0) a=b" }.joined(separator: ", ")
        #expect(AuthorizationInterceptor.Challenge.parse(many).count == 32)
        let wide = "S " + (0..<100).map { "a\($0)=b" }.joined(separator: ", ")
        #expect(AuthorizationInterceptor.Challenge.parse(wide).first?.parameters.count == 32)
        #expect(
            AuthorizationInterceptor.Challenge.parse(String(repeating: "a", count: 1 << 20)).first?.scheme.utf8.count
                == 16_384)
        var text = ""
        dump(AuthorizationInterceptor.Challenge.parse(#"Bearer nonce="hush", error="hush hush""#), to: &text)
        #expect(!text.contains("hush") && text.contains("an unregistered error code"))
    }

    @Test func `random header values do not trap`() {
        let seed = UInt64.random(in: 0 ..< .max)
        var random = SplitMix(state: seed)
        let alphabet = Array("\"\\,= aB/+\t\u{e9}".unicodeScalars)
        for _ in 0..<TestEnvironment.rounds(2_000, heavy: 50_000) {
            var value = ""
            for _ in 0..<Int(random.next() % 40) {
                value.unicodeScalars.append(alphabet[Int(random.next() % UInt64(alphabet.count))])
            }
            let read = AuthorizationInterceptor.Challenge.parse(value)
            #expect(read.allSatisfy { $0.scheme.isToken }, "seed \(seed): \(value)")
        }
    }
}
