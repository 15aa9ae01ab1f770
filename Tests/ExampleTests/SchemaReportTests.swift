import Errand
import ErrandGraphQL
import TestSupport
import Testing
import examples

/// Tests of the command `examples check SCHEMA DOCUMENT…`.
@Suite struct SchemaReportTests {
    @Test func `each document has a line, and one invalid document fails the check`() throws {
        let folder = try ScratchFolder()
        func write(_ name: String, _ text: String) throws -> String {
            let file = folder.url.appending(path: name)
            try Data(text.utf8).write(to: file)
            return file.path
        }
        let schema = try write("schema.graphql", "type Query { a: Int b: Int }")
        let rows: [(name: String, text: String, says: String)] = [
            ("one.graphql", "{ a }", "valid"), ("two.graphql", "query A { a } query B { b }", "valid"),
            ("stored.json", #"{"query":"{ b }"}"#, "valid"),
            ("fragments.graphql", "fragment F on Query { a }", "unused fragment “F”"),
            ("field.graphql", "{ a c }", "line 1, column 5"), ("broken.graphql", "{ a", "is not closed"),
        ]
        let files = try rows.map { try write($0.name, $0.text) }
        var lines: [String] = []
        #expect(
            try !SchemaReport(schema: schema, documents: files + [folder.url.path + "/none"]).run { lines.append($0) })
        for (row, line) in zip(rows, lines) { #expect(line.contains(row.name) && line.contains(row.says), "\(line)") }
        #expect(lines.count == rows.count + 1 && lines.last?.contains("can't be read") == true)
        #expect(try SchemaReport(schema: schema, documents: Array(files.prefix(3))).run { _ in })
    }
}
