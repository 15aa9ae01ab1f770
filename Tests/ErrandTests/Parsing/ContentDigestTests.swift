import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ContentDigestTests {
    /// The SHA-256 and SHA-512 digests of the examples in RFC 9530, appendix D.
    static let small = "X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE="
    static let large =
        "WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew=="

    @Test(arguments: [
        ("sha-256=:\(small):", true, false), ("sha-512=:\(large):", false, true),
        ("sha-256=:\(small):,sha-512=:\(large):", true, true),
        ("  sha-512=:\(large): \t,\t sha-256=:\(small): ", true, true),
        ("md5=:AAAA:, sha-256=:\(small):", true, false),
        ("sha-256=:\(small):;a;b=1;c=\"x\", unixsum=30637", true, false),
        (
            "a, b=?1, c=?0, d=-1.5, e=12, f=tok/en:*, g=\"a\\\"b\\\\\", h=(1 \"b\";x  tok), i=@1659578233, j=%\"f%c3%bc\", "
                + "k=(), l=*, sha-256=:\(small):", true, false
        ),
        ("sha-256=:AAAA:, sha-256=:\(small):", true, false),
        ("sha-256=:\(small.dropLast()):", true, false),
    ]) func `known digests are parsed, and others are ignored`(text: String, has256: Bool, has512: Bool) throws {
        let digest = try #require(ContentDigest(text))
        #expect(digest.sha256 == (has256 ? Data(base64Encoded: Self.small) : nil))
        #expect(digest.sha512 == (has512 ? Data(base64Encoded: Self.large) : nil))
    }

    @Test(arguments: [
        "", " ", "sha-256", "sha-256=", "sha-256=\(small)", "sha-256=:\(small)", "SHA-256=:\(small):", "md5=:AAAA:",
        "sha-256=:AAAA:", "sha-256=:\(small):,", ",sha-256=:\(small):", "sha-256=:\(small): x=1", "sha-256 =:\(small):",
        "sha-256= :\(small):", "sha-256=:\(small):;", "sha-256=:\(small):; ;", "sha-256=:\(small):;A=1",
        "a=1.2345, sha-256=:\(small):", "a=1234567890123456, sha-256=:\(small):", "a=-, sha-256=:\(small):",
        "a=1., sha-256=:\(small):", "a=\"x, sha-256=:\(small):", "a=\"\\x\", sha-256=:\(small):",
        "a=?2, sha-256=:\(small):",
        "a=(1, sha-256=:\(small):", "a=(1\"b\"), sha-256=:\(small):", "a=((1)), sha-256=:\(small):",
        "a=@1.5, sha-256=:\(small):",
        "a=%\"%zz\", sha-256=:\(small):", "a=é, sha-256=:\(small):", "sha-256=:\(small)\n:",
        "sha-256=:\(small.dropLast(2))-=:",
        "sha-256=:\(small):, sha-256=1", "sha-256=(:\(small):)", "sha-256=:=\(small):",
    ]) func `a malformed header has no digest`(text: String) {
        #expect(ContentDigest(text) == nil)
    }

    @Test func `several headers form one dictionary`() throws {
        var headers: HeaderFields = ["repr-digest": "sha-256=:\(Self.small):"]
        headers.append("Repr-Digest", "sha-512=:\(Self.large):")
        let digest = try #require(ContentDigest(.representation, in: headers))
        #expect(digest.sha256?.count == 32 && digest.sha512?.count == 64)
        #expect(ContentDigest(.content, in: headers) == nil && ContentDigest.Header.allCases.count == 2)
    }

    @Test func `the hash of a body equals its digest`() throws {
        let body = Data("{\"hello\": \"world\"}\n".utf8)
        let hash = Data(SHA256.hash(body))
        #expect(ContentDigest("sha-256=:\(hash.base64EncodedString()):")?.sha256 == hash)
        // RFC 9530, appendix D.
        #expect(hash.base64EncodedString() == "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=")
    }

    static let hostile = [
        "a,", ";", "\"", "\\", "(", "a=(", ":", "a=:", "=", "%", "a=1;b;", " ", "\t", "a=\"\\\\", "-",
    ]

    @Test(arguments: TestEnvironment.sample(hostile)) func `a hostile header takes linear time`(unit: String)
        async throws
    {
        for start in ["", "a=\"", "a=(", "a=:", "a=%\"", "a;"] {
            #expect(
                try await ProcessorTime.growth(ofRepeating: unit) { _ = ContentDigest(start + $0.dropFirst()) } < 48,
                "\(start)")
            #expect(ContentDigest(start + String(repeating: unit, count: (1 << 20) / unit.utf8.count)) == nil)
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `a mutated header has the right digest or none`(seed: UInt64) {
        var random = SplitMix(state: seed)
        let expected = Data(base64Encoded: Self.small)
        for _ in 0..<100 {
            var text = "a=1, b=\"x\";y, c=(1 2), sha-256=:\(Self.small):"
            let index = text.utf8.index(text.startIndex, offsetBy: Int.random(in: 0..<22, using: &random))
            text.insert("\"\\(); ,=:a1%".randomElement(using: &random) ?? " ", at: index)
            if let digest = ContentDigest(text) { #expect(digest.sha256 == expected) }
        }
    }
}
