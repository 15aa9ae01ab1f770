#if os(macOS) || os(Linux)
    import ErrandSupport
    import Errand
    import ErrandLoopback
    import GalleryCore
    import TestSupport
    import Testing

    /// Tests the built program in a separate process.
    @Suite(.timeLimit(.minutes(1)), .enabled(if: Executable(product: "gallery") != nil, "the program is not built"))
    struct BinaryTests {
        private let folder: TestFolder
        private let program: URL

        init() throws {
            folder = try TestFolder()
            program = try #require(Executable(product: "gallery")).url
        }

        @Test func `a moved program fetches into an empty folder, then skips the files`() async throws {
            let moved = folder.url.appending(path: "moved")
            // A separate process makes the copy. If this process did, a child process of another test could inherit the
            // file while it is open for writing, and a program that is open for writing can't be run.
            let paths = [program, moved].map { $0.path(percentEncoded: false) }
            let copy = try await SpawnedProgram(URL(filePath: "/bin/cp"), paths, in: folder.url).finished()
            #expect(copy.status == 0)
            let first = try await SpawnedProgram(moved, ["fetch"], in: folder.url).finished()
            #expect(first.status == 0 && first.error.isEmpty)
            #expect(first.lines.last?.hasPrefix("10 fetched, 0 already there, 0 failed") == true)
            let names = folder.names(in: "gallery")
            #expect(names.count == 10)
            let second = try await SpawnedProgram(moved, ["fetch", "--json", "--quiet"], in: folder.url).finished()
            #expect(second.status == 0 && second.error.isEmpty)
            let objects = try second.lines.map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            #expect(objects.count == 10 && objects.allSatisfy { $0?["status"] as? String == "present" })
            #expect(Set(objects.compactMap { $0?["file"] as? String }) == Set(names.map { "gallery/\($0)" }))
            #expect(folder.names(in: "gallery") == names)
        }

        @Test func `a picture is uploaded to the server of another process`() async throws {
            let server = try DevelopmentServer()
            try GalleryDouble.png.write(to: folder.url.appending(path: "lake.png"))
            let line = ["upload", "lake.png", "--base-url", "\(server.url)"]
            let end = try await SpawnedProgram(program, line, in: folder.url).finished()
            #expect(end.status == 0 && end.error.isEmpty && end.lines.count == 2)
            #expect(end.lines.first?.hasPrefix("lake.png, 67 bytes: \(server.url)/web/photos/lake-") == true)
            await server.stop()
        }

        @Test func `invalid usage is status 64 and one line`() async throws {
            let end = try await SpawnedProgram(program, ["fetch", "--per-page", "0"], in: folder.url).finished()
            #expect(end.status == 64 && end.lines.isEmpty)
            let complaint =
                "gallery: --per-page takes a whole number from 1 to 30, not '0' (see gallery fetch --help)\n"
            #expect(end.error == complaint)
        }

        @Test func `an interrupt ends with status 130 and leaves no picture`() async throws {
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            let gallery = GalleryDouble(special: { request in
                guard request.path.hasPrefix("/picture/") else { return nil }
                arrival.yield()
                return .stall
            })
            try await LoopbackServer.withServer(gallery.reply) { server in
                let run = try SpawnedProgram(program, ["fetch", "--base-url", "\(server.url)"], in: folder.url)
                for await _ in arrivals.prefix(3) {}
                run.interrupt()
                let end = try await run.finished()
                #expect(end.status == 130 && end.lines.isEmpty)
                let complaint = "gallery: interrupted, no picture is complete. Run the same command to continue\n"
                #expect(end.error == complaint)
            }
            #expect(folder.names(in: "gallery").isEmpty)
        }

        @Test(arguments: [
            (#"fetch --output "$bad""#, "--output"), (#"fetch -o "$bad""#, "-o"),
            (#"fetch "--output=$bad""#, "--output"), (#"fetch "$bad""#, "argument 2"),
            (#"fetch --quiet -- "$bad""#, "argument 4"), (#""$bad""#, "argument 1"),
            (#"fetch "--$bad=x""#, "argument 2"),
        ])
        func `arguments that are not UTF-8 are invalid usage`(line: String, name: String) async throws {
            let script = #"bad=$(printf 'pic\377'); exec "$0" "# + line
            let end = try await shell(script)
            #expect(end.status == 64 && end.lines.isEmpty)
            #expect(
                end.error.hasPrefix("gallery: \(name) is not valid UTF-8") && end.error.filter { $0 == "\n" }.count == 1
            )
            #expect(folder.names().isEmpty)
        }

        @Test(arguments: ["-o pictures", "-o ../x", "-o '~x'", ""])
        func `a current folder that is not UTF-8 is invalid usage`(options: String) async throws {
            let script = #"bad=$(printf 'pic\377'); mkdir "$bad" && cd "$bad" && "$0" fetch -q "#
            let end = try await shell(script + options + "; echo $?; ls -b .. .")
            #expect(end.lines == ["64", ".:", "..:", #"pic\377"#])
            #expect(end.error.hasPrefix("gallery: the path of the current folder is not valid UTF-8 ("))
            #expect(folder.names().count == 1)
            let complete = try await shell(#"cd pic* && "$0" fetch -q -o "$1""#, folder.path + "/complete")
            #expect(complete.status == 0 && folder.names(in: "complete").count == 10)
        }

        @Test func `an interrupt ends an upload with status 130`() async throws {
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            let picture = folder.url.appending(path: "lake.png")
            try (GalleryDouble.png + Data(count: 1_000_000)).write(to: picture)
            try await LoopbackServer.withServer({ _ in
                arrival.yield()
                return .stall
            }) { server in
                let line = ["upload", "lake.png", "--base-url", "\(server.url)"]
                let run = try SpawnedProgram(program, line, in: folder.url)
                for await _ in arrivals.prefix(1) {}
                run.interrupt()
                let end = try await run.finished()
                #expect(end.status == 130 && end.error == "gallery: interrupted, 0 of 1 uploaded\n")
            }
        }

        private func shell(_ script: String, _ argument: String = "") async throws -> SpawnedProgram.End {
            let line = ["-c", script, program.path, argument]
            return try await SpawnedProgram(URL(filePath: "/bin/sh"), line, in: folder.url).finished()
        }

        @Test func `an interrupt ends the program during work on hostile names`() async throws {
            let slug = "a" + String(repeating: "\u{301}\u{316}", count: 40_000)
            let isNamed = Locked(false)
            let gallery = GalleryDouble(
                ids: (1...20).map { "p\($0)" }, slug: slug,
                special: { request in
                    guard request.path.hasPrefix("/picture/") else { return nil }
                    isNamed.withLock { $0 = true }
                    return .stall
                })
            try await LoopbackServer.withServer(gallery.reply) { server in
                let run = try SpawnedProgram(program, ["fetch", "--base-url", "\(server.url)"], in: folder.url)
                #expect(await Soak.eventually { isNamed.withLock { $0 } })
                run.interrupt()
                let end = try await run.finished()
                #expect(end.status == 130)
            }
        }
    }
#endif
