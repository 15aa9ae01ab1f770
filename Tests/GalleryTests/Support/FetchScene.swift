import Errand
import ErrandLoopback
import gallery

/// The environment of a `gallery fetch` run in this process: an empty folder and recorded streams.
struct FetchScene: Sendable {
    let folder: TestFolder
    let output: RecordedStream
    let error: RecordedStream
    var variables: [String: String] = [:]

    init(output: RecordedStream = RecordedStream(), error: RecordedStream = RecordedStream()) throws {
        folder = try TestFolder()
        self.output = output
        self.error = error
    }

    /// The names in the default output folder.
    var pictures: [String] { folder.names(in: "out") }

    /// The lines of standard output without the path of the test folder.
    var printed: [String] { output.lines.map(shortened) }
    var complaints: [String] { error.lines.map(shortened) }

    func fetch(_ arguments: String..., from server: LoopbackServer) async -> ExitStatus {
        let line = ["fetch", "--base-url", server.url.absoluteString, "--output", folder.path + "/out"] + arguments
        return await Program.run(
            line, environment: variables, on: .recording(output, error, environment: variables))
    }

    private func shortened(_ line: String) -> String {
        line.replacingOccurrences(of: folder.path + "/", with: "")
    }
}
