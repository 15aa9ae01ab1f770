import Errand
import TestSupport
import Testing

@Suite struct ExampleTests {
    @Test func `a handler of one's own loads`() async throws {
        let session = ScriptedSession([.json(#"[{"id":"a","description":null}]"#)])
        #expect(try await firstPage(session: session) == [Photo(id: "a", description: nil)])
        #expect(session.recorded.first?.head.url?.absoluteString == "https://api.gallery.example/v1/photos?page=1")
        let staging = try GalleryEnvironment.staging.url(for: .photo(id: "a/b"))
        #expect(staging.absoluteString == "https://api.staging.gallery.example/v1/photos/a%2Fb")
    }

    @Test func `an endpoint is requested in one line`() async throws {
        let session = ScriptedSession([.json(#"{"id":"7","name":"Ada"}"#)])
        #expect(try await renamed(session: session) == Customer(id: "7", name: "Ada"))
        #expect(session.recorded.first?.body == .data(Data(#"{"name":"Ada"}"#.utf8)))
    }

    @Test func `a posted comment comes back with its receipt, or with one error`() async throws {
        let session = ScriptedSession([.json(#"{"id":"r1"}"#, status: 201), .status(422), .status(500)])
        #expect(await posted(session: session) == "r1")
        #expect(await posted(session: session) == "The server did not like the comment.")
        let line = await posted(session: session)
        #expect(line == "status 500 POST https://api.shop.example/v2/comments: the server answered 500")
    }

    @Test func `each Swift sample of the README is a part of an example`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let readme = try String(contentsOf: folder.appending(path: "../README.md"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let examples = try files.map { lines(try String(contentsOf: $0, encoding: .utf8)) }
        let samples = readme.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
            .filter { !$0.contains("package: ") && !$0.contains(".package(") }
        #expect(samples.count >= 3)
        for sample in samples {
            #expect(examples.contains { $0.contains(lines(sample)) }, "\(sample)")
        }
    }

    /// A text without indentation, blank lines and the formatter's taste in blanks.
    private func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
