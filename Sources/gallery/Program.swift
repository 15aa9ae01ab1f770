package import Errand

/// The program without its process: it takes arguments, prints text and returns an exit status.
package enum Program {
    /// Runs a command line.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the program's name.
    ///   - environment: The environment variables.
    ///   - console: The output streams.
    ///   - time: The time source of the run.
    /// - Returns: The exit status.
    package static func run(
        _ arguments: [String], environment: [String: String], on console: Console, time: some TimeSource = .system
    ) async -> ExitStatus {
        do {
            let command = try Command.parse(arguments, environment: environment) { () throws(UsageError) in
                try ConfigurationFile.load(environment)
            }
            if let options = command.options, !options.display.quiet {
                for warning in options.warnings { try? console.error.write("gallery: warning: \(warning)\n") }
            }
            switch command {
            case .help(let topic): return print(topic.text, on: console)
            case .version: return print("gallery \(Version.text)\n", on: console)
            case .completions(let shell): return print(Completions(for: shell).text, on: console)
            case .manual: return print(ManualPage.text, on: console)
            case .fetch(let options): return try await FetchRun(options: options, console: console, time: time).run()
            case .search(let options): return await LookUp(options, console).run(.search)
            case .show(let options): return await LookUp(options, console).run(.show)
            case .upload(let options): return await UploadRun(options: options, console: console, time: time).run()
            case .cache(let action, let options):
                return await CacheRun(options: options, console: console).run(action)
            case .serve(let options): return await ServeRun(options: options, console: console).run()
            }
        } catch {
            try? console.error.write("gallery: \(error)\n")
            return .usage
        }
    }

    private static func print(_ text: String, on console: Console) -> ExitStatus {
        do {
            try console.output.write(text)
            return .success
        } catch {
            guard let reason = error.reason else { return .outputClosed }
            try? console.error.write("gallery: can't write the output: \(reason)\n")
            return .failure
        }
    }
}
