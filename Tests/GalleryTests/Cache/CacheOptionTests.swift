import Errand
import ErrandLoopback
import GalleryCore
import Testing
import gallery

/// Tests the use of the cache by the commands.
@Suite(.timeLimit(.minutes(1))) struct CacheOptionTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The output of one command.
    private struct Run {
        let status: gallery.ExitStatus
        let output: [String]
        let error: [String]

        /// The lines that `--explain` prints for the request of a page, without their times.
        func explained(page: Int) -> [String] {
            let start = error.firstIndex { $0.contains("?page=\(page)") || $0.contains("&page=\(page)") }
            guard let start else { return [] }
            return error[(start + 1)...].prefix { $0.hasPrefix("  ") }
                .map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        }
    }

    private func run(_ line: [String], _ environment: [String: String] = [:]) async -> Run {
        let (output, error) = (RecordedStream(), RecordedStream())
        let status = await Program.run(
            line, environment: environment, on: .recording(output, error, environment: environment))
        return Run(status: status, output: output.lines, error: error.lines)
    }

    private var store: String { folder.path + "/cache" }

    private func fetch(_ arguments: String..., from server: DevelopmentServer, _ environment: [String: String] = [:])
        async -> Run
    {
        let line = ["fetch", "--per-page=2", "--base-url=\(server.url)", "--output=\(folder.path)/out"]
        return await run(line + arguments, environment)
    }

    /// Returns the requests for lists in a HAR file: the page, whether the request is conditional, and the status.
    private func lists(_ name: String) throws -> [String] {
        try HTTPArchive(contentsOf: folder.url.appending(path: name)).entries.compactMap { entry in
            guard let url = URLComponents(string: entry.request.url), url.path == "/photos" else { return nil }
            let page = url.queryItems?.first { $0.name == "page" }?.value ?? ""
            let condition = entry.request.headers["If-None-Match"] == nil ? "" : " conditional"
            return "page \(page)\(condition): \(entry.response?.status ?? 0)"
        }
    }

    @Test func `a second fetch sends only conditional requests for stale pages`() async throws {
        try await DevelopmentServer.withServer { server in
            let options = ["--pages=2", "--explain", "--cache=\(store)"]
            let first = await fetch(options[0], options[1], options[2], "--har=\(folder.path)/first.har", from: server)
            #expect(first.status == .success && !first.error.contains { $0.contains(" cache ") })
            #expect(try lists("first.har") == ["page 1: 200", "page 2: 200"])
            let second = await fetch(
                options[0], options[1], options[2], "--har=\(folder.path)/second.har", from: server)
            #expect(second.status == .success && second.output.last?.hasPrefix("0 fetched, 4 already there") == true)
            #expect(try lists("second.har") == ["page 1 conditional: 304"])
            let (stale, fresh) = (second.explained(page: 1), second.explained(page: 2))
            try #require(stale.count == 2 && fresh.count == 1)
            #expect(stale[0].hasPrefix("loader 304 Not Modified in "))
            #expect(stale[1].hasPrefix("cache stale for ") && stale[1].hasSuffix(" s, validated: 304"))
            #expect(fresh[0].hasPrefix("cache fresh, ") && fresh[0].hasSuffix(" s left"))
        }
    }

    @Test func `pictures and reports of downloads are not stored`() async throws {
        try await DevelopmentServer.withServer { server in
            for _ in 0..<2 {
                #expect(await fetch("--cache", store, from: server).status == .success)
                try FileManager.default.removeItem(at: folder.url.appending(path: "out"))
            }
            let info = await run(["cache", "info", "--cache", store, "--json"])
            #expect(info.output.first?.contains(#""entries":1,"#) == true)
            #expect(server.downloads.values.map(\.self) == [2, 2])
        }
    }

    @Test(
        arguments: [
            (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x"), (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache"),
            (["XDG_CACHE_HOME": "x", "HOME": "/h"], "/h/.cache"), (["HOME": "/h"], "/h/.cache"), (["HOME": "h"], nil),
            ([:], nil),
        ] as [([String: String], String?)])
    func `the caches folder follows the XDG Base Directory Specification`(
        environment: [String: String], path: String?
    ) {
        #expect(CachesFolder.xdg(environment) == path)
        #expect(
            CachesFolder.apple(environment) == environment["HOME"].flatMap { $0 == "/h" ? "/h/Library/Caches" : nil })
    }

    @Test func `the default folder is in the home folder, and no-cache does not create it`() async throws {
        let home = ["HOME": folder.path + "/user"]
        try await DevelopmentServer.withServer { server in
            #expect(await fetch("--no-cache", from: server, home).status == .success)
            #expect(folder.names(in: "user").isEmpty)
            #expect(await fetch("--curl", from: server, home).status == .success)
            #expect(folder.names(in: "user").isEmpty)
            #expect(await fetch(from: server, home).status == .success)
            #expect(!folder.names(in: "user").isEmpty)
        }
        let info = await run(["cache", "info"], home)
        #expect(info.status == .success && info.output.count == 3)
        #expect(info.output.first?.hasPrefix("Folder    \(folder.path)/user/") == true)
        #expect(info.output.first?.hasSuffix("/gallery") == true && info.output[1] == "Entries   1")
        #expect(info.output[2].hasPrefix("Size      ") && info.output[2].hasSuffix(" kB of 50 MB"))
    }

    @Test(arguments: [[:], ["HOME": "/dev/null"]] as [[String: String]])
    func `a missing default folder is only a note`(environment: [String: String]) async throws {
        try await DevelopmentServer.withServer { server in
            let silent = await fetch(from: server, environment)
            #expect(silent.status == .success && silent.error.isEmpty)
            for option in ["--verbose", "--explain"] {
                let run = await fetch(option, from: server, environment)
                #expect(run.status == .success && run.error.first?.hasPrefix("gallery: no cache: ") == true)
            }
        }
    }

    @Test func `a chosen folder that can't be used is an error`() async throws {
        try await DevelopmentServer.withServer { server in
            let run = await fetch("--cache=/dev/null/x", from: server)
            #expect(run.status == .failure && run.output.isEmpty && run.error.count == 1)
            #expect(run.error.first?.hasPrefix("gallery: can't use '/dev/null/x' as the cache: ") == true)
        }
    }

    @Test func `a folder with other files is refused and unchanged`() async throws {
        try Data().write(to: folder.url.appending(path: "a.txt"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        for action in ["info", "clear"] {
            let run = await run(["cache", action, "--cache", folder.path])
            #expect(run.status == .failure && run.error.first?.contains("expected a folder that is empty or ") == true)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o755 && folder.names() == ["a.txt"])
    }

    @Test func `clear removes all entries and does not create a folder`() async throws {
        let none = await run(["cache", "clear", "--cache", store])
        #expect(none.status == .success && none.output == ["0 entries removed: 0 bytes"] && folder.names().isEmpty)
        try await DevelopmentServer.withServer { server in
            #expect(await fetch("--pages=2", "--cache", store, from: server).status == .success)
        }
        let cleared = await run(["cache", "clear", "--cache", store])
        #expect(cleared.status == .success && cleared.output.first?.hasPrefix("2 entries removed: ") == true)
        let info = await run(["cache", "info", "--cache", store, "--json"])
        #expect(info.output == [#"{"bytes":0,"capacity":50000000,"entries":0,"folder":"\#(store)"}"#])
        let missing = await run(["cache", "info"])
        #expect(missing.status == .failure && missing.error.first?.hasSuffix("(add --cache DIR)") == true)
    }

    @Test func `an upload removes the stored lists of its server`() async throws {
        let picture = folder.url.appending(path: "lake.png")
        try GalleryDouble.png.write(to: picture)
        try await DevelopmentServer.withServer { server in
            let target = ["--base-url=\(server.url)", "--cache=\(store)"]
            #expect(await fetch("--pages=2", target[1], from: server).status == .success)
            #expect(await run(["upload", picture.path] + target).status == .success)
            let info = await run(["cache", "info", "--json", target[1]])
            #expect(info.output.first?.contains(#""entries":0,"#) == true)
        }
    }
}

/// Tests the cache for the server inside the program, which prefers a fixed port.
@Suite(.timeLimit(.minutes(1)), .serialized) struct OwnServerCacheTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func run(_ line: String...) async -> (status: gallery.ExitStatus, error: String) {
        let error = RecordedStream()
        let status = await Program.run(
            line + ["--per-page=2"], environment: ["HOME": folder.path], on: .recording(RecordedStream(), error))
        return (status, error.text)
    }

    @Test func `a second fetch validates the stored page`() async throws {
        var isValidated = false
        // The port can be in use by another process.
        while !isValidated, !Task.isCancelled {
            let run = await run("fetch", "--explain", "--output=\(folder.path)/out")
            #expect(run.status == .success)
            isValidated = run.error.contains(" s, validated: 304\n")
        }
    }

    @Test func `without the port the cache is not used`() async throws {
        var server: DevelopmentServer?
        var configuration = DevelopmentServer.Configuration()
        configuration.port = 28_080
        while server == nil, !Task.isCancelled {
            server = try? DevelopmentServer(configuration)
            await Task.yield()
        }
        let run = await run("fetch", "--explain", "--output=\(folder.path)/out")
        await server?.stop()
        #expect(run.status == .success && run.error.hasPrefix("gallery: no cache: port 28080 is in use"))
        #expect(folder.names(in: "out").count == 2)
    }

    @Test func `a stored search does not affect the links of a fetch`() async throws {
        #expect(await run("search", "sky", "--page=2").status == .success)
        let run = await run("fetch", "sky", "--page=2", "--output=\(folder.path)/out")
        #expect(run.status == .success && run.error.isEmpty && !folder.names(in: "out").isEmpty)
    }
}
