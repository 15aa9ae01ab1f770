import ErrandLoopback
import Foundation

/// Prints the figures that the documentation quotes: `swift run -c release --package-path Benchmarks errand-bench`.
@main enum Main {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "loopback":
            try await LoopbackBenchmark(seconds: arguments.dropFirst().first.flatMap { Int($0) } ?? 5).run()
        default:
            print("usage: errand-bench loopback [SECONDS]")
            exit(64)
        }
    }
}
