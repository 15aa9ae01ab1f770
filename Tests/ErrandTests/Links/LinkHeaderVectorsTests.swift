import Errand
import TestSupport
import Testing

@Suite(
    .enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
struct LinkHeaderVectorsTests {
    /// One example. A link with several relations is listed once for each relation.
    struct Vector: Decodable {
        struct Link: Decodable {
            struct Title: Decodable {
                let value: String
            }

            let uri: String
            let rel: String
            let title: String?
            let anchor: String?
            let extendedTitle: Title?

            private enum CodingKeys: String, CodingKey {
                case uri, rel, title, anchor
                case extendedTitle = "title*"
            }
        }

        let name: String
        let input: String
        let expected: [Link]
    }

    @Test func `the examples of section 3-5 are parsed as listed`() throws {
        let file = try #require(TestEnvironment.vectors).appending(path: "link-header/rfc8288-3.5.json")
        let rows = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
        #expect(rows.count == 7)
        for vector in rows {
            let found = LinkHeader(vector.input).links.flatMap { link in link.relations.map { (link, $0) } }
            // Example 6 shows one of two equivalent headers and lists the links of both.
            #expect(found.count == vector.expected.count || vector.name.hasSuffix("Equivalence"), "\(vector.name)")
            for ((link, relation), expected) in zip(found, vector.expected) {
                #expect(link.target == expected.uri && relation == expected.rel, "\(vector.name)")
                #expect(link.title == expected.extendedTitle?.value ?? expected.title, "\(vector.name)")
                #expect(link.anchor == expected.anchor, "\(vector.name)")
            }
        }
    }
}
