#if os(macOS) || os(Linux)
    import Errand

    /// A process with output to files, so that no pipe has to be read while it runs.
    final class SpawnedProgram {
        struct End {
            let status: Int32
            let output: String
            let error: String
            var lines: [String] { output.split(separator: "\n").map(String.init) }
        }

        private let process = Process()
        private let ends: AsyncStream<Void>
        private let output: URL
        private let error: URL

        init(_ program: URL, _ arguments: [String], in folder: URL) throws {
            let scratch = FileManager.default.temporaryDirectory
            output = scratch.appending(path: "gallery-out-\(UUID().uuidString)")
            error = scratch.appending(path: "gallery-err-\(UUID().uuidString)")
            for file in [output, error] { try Data().write(to: file) }
            let (ends, end) = AsyncStream<Void>.makeStream()
            self.ends = ends
            process.executableURL = program
            process.arguments = arguments
            process.currentDirectoryURL = folder
            let environment = ProcessInfo.processInfo.environment.filter { $0.key != "UNSPLASH_ACCESS_KEY" }
            // The user's own configuration and cache must not affect the tests. HOME selects the cache on Apple
            // platforms.
            let own = ["XDG_CONFIG_HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "HOME": "/dev/null"]
            process.environment = environment.merging(own) { $1 }
            let handles = (try FileHandle(forWritingTo: output), try FileHandle(forWritingTo: error))
            process.standardOutput = handles.0
            process.standardError = handles.1
            process.terminationHandler = { _ in end.finish() }
            // The process inherits that a signal is ignored, as in background jobs of scripts, and would not be interrupted.
            signal(SIGINT, SIG_DFL)
            try process.run()
            // The child process has its own handles. The platform keeps the process object, and these two would stay
            // open with it.
            try handles.0.close()
            try handles.1.close()
        }

        deinit {
            for file in [output, error] { try? FileManager.default.removeItem(at: file) }
        }

        func interrupt() { process.interrupt() }

        /// Ends the process with a signal that it cannot handle.
        func forceEnd() { kill(process.processIdentifier, SIGKILL) }

        func finished() async throws -> End {
            for await _ in ends {}
            // A test's time limit ends the wait, and the status of a running process traps.
            if process.isRunning { process.terminate() }
            try Task.checkCancellation()
            func text(_ file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
            return End(status: process.terminationStatus, output: text(output), error: text(error))
        }
    }
#endif
