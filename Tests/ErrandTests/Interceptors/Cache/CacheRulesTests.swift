import Foundation
import TestSupport
import Testing

/// The page with the rules of the cache.
struct CacheRulesTests {
    @Test func `each rule has a test that exists`() throws {
        let page = ErrorPage.root.appending(path: "Sources/Errand/Errand.docc/Interceptors/cache-rules.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| rule") }
        let folder = ErrorPage.root.appending(path: "Tests/ErrandTests/Interceptors/Cache")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let sources = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        #expect(rows.count > 30)
        for row in rows {
            let test = try #require(row.split(separator: "|").last?.trimmingCharacters(in: .whitespaces))
            #expect(sources.contains("func \(test)("), "\(row)")
        }
    }
}
