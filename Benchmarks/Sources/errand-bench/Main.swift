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
            case "decoding":
                let options = try Arguments(arguments.dropFirst(), options: TextDecoding.options)
                try await DecodingBenchmark().run()
                try await TextDecoding(options).run()
            case "events": try await EventsBenchmark().run()
            case "layers": try await LayersBenchmark().run()
            case "cache": try await CacheBenchmark().run()
            case "soak": try await SoakBenchmark(requests: number ?? 200_000).run()
            case "in-flight" where arguments.count > 1: try await InFlightBenchmark.measure(arguments.dropFirst())
            case "in-flight": try await InFlightBenchmark().run()
            case "streams": try await StreamsBenchmark(arguments.dropFirst()).run()
            case "valkey":
                let options = try Arguments(arguments.dropFirst(), options: ValkeyBenchmark.options)
                try await ValkeyBenchmark(options).run()
            case "transfer": try await TransferCommand(arguments.dropFirst()).run()
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
            usage: errand-bench loopback [SECONDS]    the requests/s of the loopback server (requires wrk)
                   errand-bench loader [REQUESTS]     the cost that APILoader adds to a request; fails above 5 %
                   errand-bench decoding [OPTIONS]    the time to decode JSON; fails if FastJSONDecoder is too slow
                       --megabytes N             the minimum size of each text in MB (default: 2)
                       --texts FOLDER            writes three of the texts, for Benchmarks/decoding.py
                   errand-bench events                the rates of event streams and JSON Lines
                   errand-bench cache                 the cost of a stored response; fails above 0.35 x in memory, 3 x on disk
                   errand-bench layers                the cost that each interceptor adds to a call; fails above 10 µs
                   errand-bench sessions [OPTIONS]    the requests/s and CPU time of sessions and of a plain loop in C
                       --size 1k|100k|10m|all    the response (default: 1k, which is decoded)
                       --url FOLDER              a server with 1k.json, 100k.bin, 10m.bin (default: the loopback server)
                       --in-flight N,…           the numbers of concurrent requests (default: 1,8,64)
                       --rounds N, --block MS    the duration (default: 5 rounds, two blocks of 300 ms for each line)
                       --hosts N                 the number of hosts, 127.0.0.1 and the following addresses (default: 1)
                       --keep objects|bytes      whether the response of 1k is decoded (default: objects)
                       --connections kept|new    whether each request opens a connection (default: kept)
                       --authorities PEM         the authorities of an https server
                       --only NAME               runs only this line, such as CurlSession, and counts its allocations
                       --requests N              the number of requests with --only (default: 10000)
                   errand-bench memory [--megabytes N]    the growth of memory during transfers of 1000 MB
                   errand-bench transfer KIND URL FILE    one upload, multipart or download (see Benchmarks/transfers.py)
                   errand-bench in-flight             the memory of 1000 and 10000 requests in flight
                   errand-bench streams URL PEM       the time of concurrent HTTP/2 calls (see Benchmarks/streams.sh)
                   errand-bench valkey --url URL      the commands/s of a connection to Valkey (see Benchmarks/valkey.sh)
                   errand-bench soak [REQUESTS]       the growth of memory with 200000 sequential requests
            """)
        exit(64)
    }
}
