import Errand
import GalleryCore

/// One run of `gallery serve`: until it is cancelled.
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
                if console.error.isTerminal { try? console.error.write("Ctrl-C ends it.\n") }
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
            let text = "can't serve on port \(options.serving.port): \(error.reason) (--port takes another)"
            try? console.error.write("gallery: \(text)\n")
            return .failure
        }
    }

    /// Nothing is ever sent: a stream's iterator ends when its task is cancelled.
    private static func untilCancelled() async {
        let (stream, source) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        withExtendedLifetime(source) {}
    }
}
