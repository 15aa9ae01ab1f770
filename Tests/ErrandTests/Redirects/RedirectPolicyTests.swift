import Errand
import Testing

@Suite struct RedirectPolicyTests {
    @Test(arguments: [(Int.min, 0), (-1, 0), (0, 0), (1, 1), (20, 20), (21, 20), (Int.max, 20)])
    func `the limit is clamped to the range 0 to 20`(given: Int, kept: Int) {
        var policy = RedirectInterceptor.Policy.follow
        policy.limit = given
        #expect(policy.limit == kept && RedirectInterceptor.Policy(limit: given).limit == kept)
        #expect(RedirectInterceptor.Policy.follow(upTo: given) == policy)
    }

    @Test func `by default, 20 redirects and no downgrades are allowed`() {
        let policy = RequestOptions().redirects
        #expect(policy == .follow && policy == RedirectInterceptor.Policy())
        #expect(policy.mode == .follow && policy.limit == 20 && !policy.allowsDowngrade)
        #expect(RedirectInterceptor.Policy.manual.mode == .manual && RedirectInterceptor.Policy.error.mode == .error)
    }
}
