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
            case "sessions":
                let options = try Arguments(arguments.dropFirst(), options: SessionsBenchmark.options)
                try await SessionsBenchmark(options).run()
            case "memory":
                let options = try Arguments(arguments.dropFirst(), options: MemoryBenchmark.options)
                try await MemoryBenchmark(options).run()
            case "decoding": try await DecodingBenchmark().run()
            case "layers": try await LayersBenchmark().run()
            case "soak": try await SoakBenchmark(requests: number ?? 200_000).run()
            case "serve": try await ServerProcess.serve(BenchmarkServer.reply)
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
                   errand-bench decoding              what it costs to decode JSON; fails above half of JSONDecoder's time
                   errand-bench layers                what each interceptor adds to a call that needs none; fails above 10 µs
                   errand-bench sessions [OPTIONS]    requests/s and CPU of sessions, beside a plain loop in C
                       --size 1k|100k|10m|all    what is fetched: 1k, which is decoded
                       --url FOLDER              a server that has 1k.json, 100k.bin and 10m.bin: one of our own
                       --in-flight N,…           how many requests at once: 1,8,64
                       --rounds N, --block MS    how long: 5 rounds of two blocks of 300 ms for each line
                   errand-bench memory [--megabytes N]    how memory grows while 1000 MB pass, at 20 MB/s and from a file
                   errand-bench soak [REQUESTS]       how memory grows with 200000 requests in a row
            """)
        exit(64)
    }
}
