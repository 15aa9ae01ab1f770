import Errand
import Foundation
import TestSupport
import Testing

/// Creates each error of the library, and compares the page that lists them.
///
/// `ERRAND_WRITE_ERRORS=1 swift test --filter ErrorPageTests` rewrites the page.
@Suite(.timeLimit(.minutes(2))) struct ErrorPageTests {
    private static let helpers: Set = ["ServiceError", "invalid", "refused", "malformed", "refusal", "flaw"]
    private static let members: Set = [
        "QueryProblem.text", "HeaderFields.flaw", "MultipartBody+Checks.flaw", "PageLink.crossOrigin",
        "CurlFailure.text",
    ]

    @Test(arguments: ErrorRow.sections.map { $0.area })
    func `each row creates an error with its code, and the page lists it`(area: ErrorArea) async throws {
        let rows = ErrorRow.sections.first { $0.area == area }?.rows ?? []
        guard !rows.isEmpty else { return }
        var entries: [ErrorEntry] = []
        for row in rows {
            let created = try await row.entry()
            let entry = try #require(created, "no error: \(row.cause)")
            #expect(entry.code == row.code, "\(entry.reason)")
            entries.append(entry)
        }
        let lines = Set(entries.map { "\($0.code) \($0.reason)" })
        #expect(lines.count == entries.count, "expected one row for each message")
        #expect(try ErrorPage.differences(in: [ErrorPage.section(area, entries)]) == [])
    }

    @Test func `each message in the sources has a row or an exemption`() async throws {
        var entries: [ErrorEntry] = []
        for row in ErrorRow.sections.flatMap({ $0.rows }) { entries += [try await row.entry()].compactMap(\.self) }
        let templates = try ErrorTemplate.all(in: "Sources/Errand", helpers: Self.helpers, members: Self.members)
        #expect(templates.count > 150)
        let (uncovered, unneeded) =
            templates.filter { ErrorRow.coversPlatform || !$0.location.contains("Platform/") }
            .gaps(entries, ErrorExemption.all)
        #expect(uncovered.isEmpty, "\(uncovered)")
        #expect(unneeded.isEmpty || !ErrorRow.coversPlatform, "\(unneeded)")
        #expect(try ErrorPage.differences(in: [ErrorPage.section(of: "Errand", ErrorExemption.all)]) == [])
    }

    @Test func `the page has a section for each area`() throws {
        let titles = try ErrorPage.titles()
        let areas = ErrorArea.allCases.map(\.rawValue)
        #expect(Array(titles.prefix(areas.count)) == areas)
        #expect(titles.dropFirst(areas.count).allSatisfy { $0.hasSuffix("that no test creates") })
    }
}
