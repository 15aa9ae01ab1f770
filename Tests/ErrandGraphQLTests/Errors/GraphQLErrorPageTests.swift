import Errand
import ErrandGraphQL
import TestSupport
import Testing

/// Creates each error of the module, and compares its section of the page that lists all errors.
///
/// `ERRAND_WRITE_ERRORS=1 swift test --filter GraphQLErrorPageTests` rewrites the section.
@Suite(.timeLimit(.minutes(1))) struct GraphQLErrorPageTests {
    private func entries() async throws -> [ErrorEntry] {
        var entries: [ErrorEntry] = []
        for row in ErrorRow.graphQL {
            let created = try await row.entry()
            entries.append(try #require(created, "no error: \(row.cause)"))
        }
        return entries
    }

    @Test func `each row creates an error with its code, and the page lists it`() async throws {
        let entries = try await entries()
        for entry in entries { #expect(entry.code == entry.row.code, "\(entry.reason)") }
        #expect(Set(entries.map { "\($0.code) \($0.reason)" }).count == entries.count)
        #expect(try ErrorPage.differences(in: [ErrorPage.section(.graphQL, entries)]) == [])
    }

    @Test func `each message in the sources has a row or an exemption`() async throws {
        let entries = try await entries()
        let templates = try ErrorTemplate.all(
            in: "Sources/ErrandGraphQL", helpers: ["ServiceError", "error"], members: [])
        #expect(templates.count > 30)
        let (uncovered, unneeded) = templates.gaps(entries, ErrorExemption.graphQL)
        #expect(uncovered.isEmpty, "\(uncovered)")
        #expect(unneeded.isEmpty, "\(unneeded)")
    }
}
