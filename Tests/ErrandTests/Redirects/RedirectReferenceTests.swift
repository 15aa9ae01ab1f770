import Errand
import Testing

/// The published examples of RFC 3986, section 5.4, as redirects.
@Suite struct RedirectReferenceTests {
    private func target(of reference: String, from base: String) throws -> String? {
        let url = try #require(URL(string: base))
        var machine = RedirectMachine(APIRequest(head: URLRequest(url: url), body: .none))
        return try machine.step(after: redirect(303, reference, from: url))?.head.url?.absoluteString
    }

    @Test(
        .enabled(if: ConfigurationVectors.folder != nil, "ERRAND_VECTORS is not set"),
        arguments: URIReferenceTests.published)
    func `each published example leads to its target`(row: URIReferenceTests.Row) throws {
        if row.reference.isEmpty {
            #expect(try target(of: row.reference, from: row.base) == nil)
        } else if row.target.hasPrefix("http://") {
            #expect(try target(of: row.reference, from: row.base) == row.target)
        } else {
            let error = #expect(throws: ServiceError.self) { try target(of: row.reference, from: row.base) }
            #expect(error?.code == .redirect)
        }
    }

    @Test(.enabled(if: ConfigurationVectors.folder != nil, "ERRAND_VECTORS is not set"))
    func `two published examples lead to no server`() {
        let others = URIReferenceTests.published.filter { !$0.target.hasPrefix("http://") }
        #expect(others.map(\.reference).sorted() == ["g:h", "http:g"] && URIReferenceTests.published.count == 42)
    }
}
