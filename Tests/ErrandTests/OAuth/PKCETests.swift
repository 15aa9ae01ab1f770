import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite struct PKCETests {
    @Test(.enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
    func `the challenge matches the published example`() throws {
        struct Examples: Decodable {
            struct Proof: Decodable { let verifier: String, s256_challenge: String }
            let rfc7636_appendix_b: Proof
        }
        let file = try #require(TestEnvironment.vectors).appending(path: "rfc/rfc-examples.json")
        let proof = try JSONDecoder().decode(Examples.self, from: Data(contentsOf: file)).rfc7636_appendix_b
        #expect(PKCE(verifier: Secret(proof.verifier)).challenge == proof.s256_challenge)
    }

    @Test func `a verifier has 43 URL-safe characters and is unique`() {
        let verifiers = (0..<100).map { _ in PKCE().verifier.reveal() }
        #expect(Set(verifiers).count == 100)
        for verifier in verifiers {
            #expect(verifier.count == 43 && verifier.utf8.allSatisfy { $0.isTokenByte && $0 != UInt8(ascii: "+") })
        }
        let fixed = PKCE(random: FixedRandom(fraction: 0))
        #expect(fixed.verifier.reveal() == String(repeating: "A", count: 43))
    }
}
