import Errand
import TestSupport

/// Runs commands in a shell with a `curl` function that records its arguments and input.
final class CURLShell: Sendable {
    /// The recorded arguments and standard input of `curl`.
    struct Given {
        let arguments: [String]
        let input: Data

        /// Returns the values of an option, in order.
        func values(of option: String) -> [String] {
            zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
        }

        /// Returns the body that `curl` would send.
        func body() throws -> Data? {
            if let raw = values(of: "--data-raw").first { return Data(raw.utf8) }
            guard let value = values(of: "--data-binary").first else { return nil }
            guard value.first == "@" else { return Data(value.utf8) }
            return value == "@-" ? input : try Data(contentsOf: URL(filePath: String(value.dropFirst())))
        }
    }

    private let folder: ScratchFolder
    private let arguments: URL
    private let input: URL

    init() throws {
        folder = try ScratchFolder()
        arguments = folder.url.appending(path: "arguments")
        input = folder.url.appending(path: "input")
        let program = """
            : > "$CURL_FOLDER/arguments"
            for argument do printf '%s\\0' "$argument" >> "$CURL_FOLDER/arguments"; done
            cat > "$CURL_FOLDER/input"
            """
        _ = try folder.file(Data(program.utf8), name: "program")
    }

    /// Runs a command and returns the recorded arguments and input of `curl`.
    func run(_ command: String, shell: String = "/bin/sh", input text: String = "") async throws -> Given {
        let program = Executable(file: URL(filePath: shell))
        // A shell function instead of an executable file: executing a new file can fail with "text file busy"
        // (`ETXTBSY`) when another test starts a process at the same time.
        let curl = #"curl() { /bin/sh "$CURL_FOLDER/program" "$@"; }"#
        // The script is a file because an argument is limited in length and a pasted command is not.
        let script = try folder.file(Data("\(curl)\n\(command)\n".utf8), name: "script")
        for file in [arguments, input] { try? FileManager.default.removeItem(at: file) }
        let ending = try await program.ending(
            [script.path], input: text, environment: ["CURL_FOLDER": folder.url.path])
        guard ending.status == 0, ending.output.isEmpty else { throw Failure(command: command, said: ending.output) }
        let words = try Data(contentsOf: arguments).split(separator: 0, omittingEmptySubsequences: false).dropLast()
        return Given(arguments: words.map { String(decoding: $0, as: UTF8.self) }, input: try Data(contentsOf: input))
    }

    struct Failure: Error {
        let command: String
        let said: String
    }
}
