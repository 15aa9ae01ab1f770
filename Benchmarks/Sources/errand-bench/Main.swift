import ErrandLoopback
import Foundation

/// Prints the figures that the documentation quotes: `swift run -c release --package-path Benchmarks errand-bench`.
@main enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let number = arguments.dropFirst().first.flatMap { Int($0) }
        do {
            switch arguments.first {
            case "loopback": try await LoopbackBenchmark(seconds: number ?? 5).run()
            case "loader": try await LoaderBenchmark(requests: number ?? 6_000, attempts: 3).run()
            case "serve": try await ServerProcess.serve { _ in Listing.reply }
            default: usage()
            }
        } catch {
            FileHandle.standardError.write(Data("errand-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func usage() -> Never {
        print(
            """
            usage: errand-bench loopback [SECONDS]    how many requests a second the loopback server answers (needs wrk)
                   errand-bench loader [REQUESTS]     what APILoader adds to a request, by stage; fails above 5 %
            """)
        exit(64)
    }
}
