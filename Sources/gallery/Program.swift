package import Errand

/// The program without a process around it: arguments in, text and a status out.
package enum Program {
    /// Carries out a command line.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the program's name.
    ///   - environment: The environment's variables.
    ///   - console: Where text goes.
    ///   - time: What the run is measured on.
    /// - Returns: How it ended.
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
