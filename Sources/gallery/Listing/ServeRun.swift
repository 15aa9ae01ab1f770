import Errand
import GalleryCore

/// A run of `gallery serve`, which ends when it is cancelled.
struct ServeRun: Sendable {
    let options: GalleryOptions
    let console: Console

    func run() async -> ExitStatus {
        var configuration = DevelopmentServer.Configuration()
        configuration.port = options.serving.port
        configuration.accessKey = options.serving.requiredKey
        do {
            let server = try DevelopmentServer(configuration)
            do {
                try console.output.write("\(server.url.absoluteString)\n")
                if console.error.isTerminal { try? console.error.write("Press Ctrl-C to stop.\n") }
                await Self.untilCancelled()
            } catch {
                await server.stop()
                guard let reason = error.reason else { return .outputClosed }
                try? console.error.write("gallery: can't write the output: \(reason)\n")
                return .failure
            }
            await server.stop()
            return .success
        } catch {
            let text = "can't serve on port \(options.serving.port): \(error.reason) (choose another with --port)"
            try? console.error.write("gallery: \(text)\n")
            return .failure
        }
    }

    /// Waits until the task is cancelled, which ends the iteration of the empty stream.
    private static func untilCancelled() async {
        let (stream, source) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        withExtendedLifetime(source) {}
    }
}
