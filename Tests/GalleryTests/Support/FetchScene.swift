import Errand
import ErrandLoopback
import gallery

/// One run of `gallery fetch` in this process: a server, an empty folder, and recorded streams.
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

    /// Where pictures go unless a test says otherwise.
    var pictures: [String] { folder.names(in: "out") }

    /// What was printed, the folder's own path left out.
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
