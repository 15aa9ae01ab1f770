import Errand
import GalleryCore
import TestSupport
import Testing
import gallery

/// Tests the path, the format and the precedence of the configuration file.
@Suite struct ConfigurationFileTests {
    private func options(
        _ text: String, _ line: [String] = ["fetch"], environment: [String: String] = [:]
    ) throws -> GalleryOptions {
        let command = try Command.parse(line, environment: environment) { () throws(UsageError) in
            try ConfigurationFile(text, path: "/c/config")
        }
        return try #require(command.options)
    }

    @Test(arguments: [
        (["HOME": "/h"], "/h/.config/gallery/config"),
        (["HOME": "/h", "XDG_CONFIG_HOME": ""], "/h/.config/gallery/config"),
        (["HOME": "/h", "XDG_CONFIG_HOME": "/x"], "/x/gallery/config"),
        (["HOME": "/h", "XDG_CONFIG_HOME": "x"], "/h/.config/gallery/config"), ([:], nil), (["HOME": "h"], nil),
    ])
    func `the path follows the XDG specification`(environment: [String: String], path: String?) {
        #expect(ConfigurationFile.path(environment) == path)
    }

    @Test func `a line is a setting, a comment or blank`() throws {
        let text =
            "# mine\r\n\r\n  size = thumb \nper-page=3\n\t# x\noutput = a = b\nhtml = yes\nper-page = 4\nport = 1\nrequire-key = k"
        let options = try options(text)
        #expect(options.size == .thumb && options.paging.perPage == 4)
        #expect(options.output == "a = b" && options.html)
        // The links that other commands print lead to the port of `gallery serve`.
        #expect(options.serving.port == 1 && options.serving.requiredKey == nil)
        #expect(try self.options(text, ["serve"]).serving.port == 1)
    }

    private static let wrong: [(String, String)] = Array(
        zip(
            [
                "# a\n\nper-page = 0", "size", "= x", "sise = raw", "x = y", "html = true", "access-key = s3cr\u{E9}t",
                "top s3cr\u{E9}t", "output =", "access-key: s3cr3t==",
            ],
            [
                ":3: --per-page takes a whole number from 1 to 30, not '0'",
                ":1: expected NAME = VALUE or a comment that begins with #",
                ":1: expected NAME = VALUE or a comment that begins with #",
                ":1: unknown name 'sise' (did you mean size?)",
                ":1: unknown name 'x' (expected the name of a long option)", ":1: --html takes yes or no, not 'true'",
                ":1: --access-key contains a character that is invalid in an access key (copy the key again)",
                ":1: expected NAME = VALUE or a comment that begins with #", ":1: --output needs a value",
                ":1: expected NAME = VALUE or a comment that begins with #",
            ]))

    @Test(arguments: wrong, ["fetch", "serve"])
    func `an error names the file and the line without the key`(row: (String, String), command: String) throws {
        let error = try #require(throws: UsageError.self) { try options(row.0, [command]) }
        #expect(error.description == "/c/config" + row.1)
    }

    @Test func `options have priority over the environment, the file and the defaults`() throws {
        let variables = ["UNSPLASH_ACCESS_KEY": "environment"]
        let file = "access-key = file\npage = 2\nquiet = yes"
        func key(_ text: String, _ line: [String], _ variables: [String: String]) throws -> Secret? {
            try options(text, ["search", "x", "--environment=production"] + line, environment: variables).accessKey
        }
        #expect(try key(file, ["--access-key", "option"], variables) == Secret("option"))
        #expect(try key(file, [], variables) == Secret("environment"))
        #expect(try key(file, [], ["UNSPLASH_ACCESS_KEY": ""]) == Secret("file"))
        #expect(throws: UsageError.self) { try key("", [], [:]) }
        #expect(
            try options(file, ["search", "x", "--base-url=http://h.test"], environment: variables).accessKey == nil)
        let pages = try [options(file, ["fetch", "--page=3"]), options(file), options("")].map(\.paging.page)
        #expect(pages == [3, 2, 1])
        #expect(try options(file).display.quiet && !options(file, ["fetch", "--no-quiet"]).display.quiet)
        #expect(try !options(file, ["fetch", "--verbose"]).display.quiet)
        let cached = "cache = /c\nno-cache = yes"
        #expect(try !options(cached).cache.isUsed && options(cached, ["fetch", "--no-no-cache"]).cache.isUsed)
        let chosen = try options(cached, ["fetch", "--cache=/d"]).cache
        #expect(chosen.folder == "/d" && chosen.isUsed)
        #expect(try !options("cache = /c", ["fetch", "--no-cache"]).cache.isUsed)
    }

    @Test func `the command line overrides the file's environment and output format`() throws {
        let file = "environment = staging\nbase-url = https://staging.test\njson = yes"
        #expect(try options(file, ["fetch"]).baseURL == "https://staging.test")
        #expect(try options(file, ["fetch", "--environment", "development"]).baseURL == nil)
        #expect(try options(file, ["fetch", "--environment", "staging"]).baseURL == "https://staging.test")
        let own = try options(file, ["fetch", "--environment=staging", "--base-url", "https://other.test"])
        #expect(own.baseURL == "https://other.test" && own.display.json)
        #expect(try !options(file, ["fetch", "--curl"]).display.json)
    }

    @Test func `help, version and completions do not load the file`() throws {
        for line in [["--help"], ["fetch", "-h"], ["--version"], ["completions", "bash"], ["manual"]] {
            _ = try Command.parse(line) { () throws(UsageError) in throw UsageError("the file was read") }
        }
    }
}

/// Tests loading the configuration file from the disk.
@Suite(.timeLimit(.minutes(1))) struct ConfigurationLoadingTests {
    private let folder: TestFolder
    private let file: URL
    private var environment: [String: String] {
        ["XDG_CONFIG_HOME": folder.path, "XDG_CACHE_HOME": folder.path + "/cache", "HOME": "/dev/null/h"]
    }

    init() throws {
        folder = try TestFolder()
        file = folder.url.appending(path: "gallery/config")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    private func write(_ text: String, mode: Int) throws {
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    private func search() async -> (gallery.ExitStatus, output: RecordedStream, error: RecordedStream) {
        let (output, error) = (RecordedStream(), RecordedStream())
        let console = Console.recording(output, error)
        return (await Program.run(["search", "sky"], environment: environment, on: console), output, error)
    }

    @Test func `a file with a key that others can read gets a warning`() async throws {
        for (mode, warnings) in [(0o600, 0), (0o644, 1), (0o640, 1)] {
            try write("access-key = s3cr3t-key\nper-page = 2", mode: mode)
            let (status, output, error) = await search()
            #expect(status == .success && output.lines.count == 2)
            #expect(error.lines.count == warnings && !error.text.contains("s3cr3t-key"))
        }
        let (_, _, error) = await search()
        let path = file.path
        let text = "gallery: warning: \(path) contains a key and is readable by other users (run chmod 600 on it)"
        #expect(error.lines == [text])
        try write("per-page = 2", mode: 0o644)
        #expect(await search().error.text.isEmpty)
    }

    @Test func `an invalid file is one line and status 64`() async throws {
        try write("per-page = 2\nsize = huge", mode: 0o600)
        let (status, output, error) = await search()
        #expect(status == .usage && output.text.isEmpty)
        let reason = "--size takes thumb, small, regular, full or raw, not 'huge'"
        #expect(error.text == "gallery: \(file.path):2: \(reason)\n")
    }

    @Test func `an unreadable file is an error, and a missing one is ignored`() throws {
        #expect(try ConfigurationFile.load(environment) == nil)
        #expect(try ConfigurationFile.load(["XDG_CONFIG_HOME": "/dev/null"]) == nil)
        try Data([0xFF, 0xFE]).write(to: file)
        #expect(throws: UsageError("can't read \(file.path): it is not UTF-8")) {
            try ConfigurationFile.load(environment)
        }
        try Data(count: 70_000).write(to: file)
        let reason = "it is larger than 65536 bytes"
        #expect(throws: UsageError("can't read \(file.path): \(reason)")) { try ConfigurationFile.load(environment) }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(throws: UsageError("can't read \(file.path): it is not a regular file")) {
            try ConfigurationFile.load(environment)
        }
    }

    @Test func `a tilde in the path of a folder is expanded`() throws {
        try write("output = ~/pictures\ncache = ~/lists", mode: 0o600)
        let command = try Command.parse(["fetch"]) { () throws(UsageError) in try ConfigurationFile.load(environment) }
        #expect(command.options?.output == "/dev/null/h/pictures")
        #expect(command.options?.cache.folder == "/dev/null/h/lists")
    }
}
