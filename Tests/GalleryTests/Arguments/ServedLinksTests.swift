import Errand
import Foundation
import GalleryCore
import Testing
import gallery

/// Tests the links that commands print in the development environment. `gallery serve` serves them.
@Suite(.timeLimit(.minutes(1))) struct ServedLinksTests {
    private static let served = "http://127.0.0.1:8080"
    private static let note = #"gallery: run "gallery serve" to open these links"#

    private func run(_ line: String..., file: String? = nil) async throws -> (output: [String], error: [String]) {
        try await run(line, file: file)
    }

    private func run(_ line: [String], file: String? = nil) async throws -> (output: [String], error: [String]) {
        let (output, error) = (RecordedStream(), RecordedStream())
        var variables: [String: String] = [:]
        let folder = try TestFolder()
        if let file {
            let path = folder.url.appending(path: "gallery")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try Data(file.utf8).write(to: path.appending(path: "config"))
            variables["XDG_CONFIG_HOME"] = folder.path
        }
        let console = Console.recording(output, error, environment: variables)
        #expect(await Program.run(line, environment: variables, on: console) == .success)
        return (output.lines, error.lines)
    }

    private func links(_ lines: [String]) -> Set<String> {
        Set(lines.flatMap { $0.matches(of: /http:\/\/127[^\s",)]+/).map { String($0.output) } })
    }

    private func status(of url: URL, session: some APISession = .platform) async throws -> Int {
        try await session.send(APIRequest(head: URLRequest(url: url), body: .none, options: RequestOptions())).head
            .status
    }

    @Test func `every link of show works while the server runs`() async throws {
        let server = try DevelopmentServer()
        let own = server.url.absoluteString
        let own8080 = try links(await run("show", "hgj6qwK5mXT").output)
        #expect(own8080.count == 3 && own8080.allSatisfy { $0.hasPrefix(Self.served + "/") })
        let json = try links(await run("show", "hgj6qwK5mXT", "--json").output)
        #expect(json.count > 8 && json.allSatisfy { $0.hasPrefix(Self.served + "/") })
        let given = try links(await run("show", "hgj6qwK5mXT", "--base-url", own).output)
        #expect(given.count == 3 && given.allSatisfy { $0.hasPrefix(own) })
        for link in own8080.union(json) {
            let url = try #require(URL(string: link.replacing(Self.served, with: own)))
            #expect(try await status(of: url) == 200, "\(link)")
        }
        await server.stop()
    }

    @Test func `links of search lead to the server of serve`() async throws {
        let (output, error) = try await run("search", "lake", "--json")
        let found = links(output)
        #expect(found.count == output.count && found.allSatisfy { $0.hasPrefix(Self.served + "/web/photos/") })
        #expect(error == [Self.note])
        #expect(try await run("search", "lake").error.isEmpty)
    }

    @Test func `show prints a note about its links`() async throws {
        for form in [["show", "hgj6qwK5mXT"], ["show", "hgj6qwK5mXT", "--json"]] {
            #expect(try await run(form).error == [Self.note])
            #expect(try await run(form + ["--quiet"]).error.isEmpty)
        }
        let server = try DevelopmentServer()
        let given = try await run("show", "hgj6qwK5mXT", "--base-url", "\(server.url)")
        #expect(given.error.isEmpty && !given.output.joined().contains("gallery serve"))
        await server.stop()
    }

    @Test func `links use the configured port of serve`() async throws {
        let found = try links(await run("show", "hgj6qwK5mXT", file: "port = 9123\n").output)
        #expect(found.count == 3 && found.allSatisfy { $0.hasPrefix("http://127.0.0.1:9123/") })
    }

    @Test(arguments: [["show", "hgj6qwK5mXT"], ["search", "lake"], ["fetch"]])
    func `commands of --curl use the server of serve`(line: [String]) async throws {
        let (output, error) = (RecordedStream(), RecordedStream())
        let status = await Program.run(line + ["--curl"], environment: [:], on: .recording(output, error))
        #expect(status == .success && output.text.contains(Self.served + "/"))
        #expect(error.lines == [#"gallery: run "gallery serve" first: these commands need it"#])
    }
}
