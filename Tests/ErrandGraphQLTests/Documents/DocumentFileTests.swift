import Errand
import ErrandGraphQL
import TestSupport
import Testing

@Suite struct DocumentFileTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String, content: String, operation: String?, reason: String?
        var testDescription: String { "\(name) \(content.prefix(40))" }
    }

    @Test(arguments: [
        Row(name: "A.graphql", content: "query A { a }", operation: nil, reason: nil),
        Row(name: "A.txt", content: "query A { a }", operation: nil, reason: nil),
        Row(name: "A.json", content: #"{"query":"query A { a }","variables":{"x":1}}"#, operation: nil, reason: nil),
        Row(
            name: "A.JSON", content: #"{"query":"query A { a }\nquery B { b }","operationName":"A"}"#, operation: nil,
            reason: nil),
        Row(name: "A.graphql", content: "query A { a } query B { b }", operation: "A", reason: nil),
        Row(name: "A.graphql", content: "{ a\n b {", operation: nil, reason: "A.graphql, line 2, column 5: the “{” at"),
        Row(name: "A.json", content: #"{"qeury":"{ a }"}"#, operation: nil, reason: "A.json, query is missing"),
        Row(name: "A.json", content: "{ a }", operation: nil, reason: "A.json, the body is not valid JSON"),
        Row(name: "A.json", content: #"{"query":"{ a"}"#, operation: nil, reason: "A.json, line 1, column 4"),
        Row(
            name: "A.graphql", content: "query B { a }", operation: "A",
            reason: "A.graphql, the document has no operation “A”"),
    ])
    func `a document is loaded from a file`(row: Row) throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data(row.content.utf8), name: row.name)
        if let reason = row.reason {
            let error = #expect(throws: ServiceError.self) {
                try QueryDocument(contentsOf: file, operation: row.operation)
            }
            #expect(error?.code == .configuration)
            #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
        } else {
            let document = try QueryDocument(contentsOf: file, operation: row.operation)
            #expect(document.operation.name == "A")
        }
    }

    @Test func `the error for an invalid file contains its name`() throws {
        let folder = try ScratchFolder()
        let files = [
            folder.url.appending(path: "missing.graphql"), folder.url,
            try folder.file(Data([0xFF, 0xFE, 0x00]), name: "bytes.graphql"),
            try folder.file(Data(repeating: UInt8(ascii: " "), count: 300_000), name: "large.graphql"),
            try #require(URL(string: "https://a.test/remote.graphql")),
        ]
        for file in files {
            let error = #expect(throws: ServiceError.self) { try QueryDocument(contentsOf: file) }
            #expect(error?.code == .configuration)
            #expect(error?.reason.hasPrefix(file.lastPathComponent) == true, "\(error?.reason ?? "")")
        }
    }

    @Test func `a GraphQL file in a bundle is preferred to a JSON file`() throws {
        let folder = try ScratchFolder()
        let bundle = try #require(Bundle(url: folder.url))
        _ = try folder.file(Data(#"{"query":"query Stored { a }"}"#.utf8), name: "Stored.json")
        _ = try folder.file(Data("query Plain { a }".utf8), name: "Both.graphql")
        _ = try folder.file(Data(#"{"query":"query Json { a }"}"#.utf8), name: "Both.json")
        #expect(try QueryDocument(named: "Stored", in: bundle).operation.name == "Stored")
        #expect(try QueryDocument(named: "Both", in: bundle).operation.name == "Plain")
        let error = #expect(throws: ServiceError.self) { try QueryDocument(named: "None", in: bundle) }
        #expect(error?.reason == "expected None.graphql or None.json in the bundle, found neither")
    }
}
