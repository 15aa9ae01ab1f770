import Errand
import ErrandValkey

/// The commands that one connection of a `ValkeyClient` sends in a second, and the time of a `take` of a `ValkeyLimitStore`.
struct ValkeyBenchmark {
    static let options: Set<String> = ["url", "commands"]
    private static let workers = 8
    private static let takes = 2_000
    /// The maximum 99th percentile of the time of a `take`, in microseconds.
    private static let limit = 1_000.0

    private let configuration: ValkeyClient.Configuration
    private let commands: Int

    init(_ arguments: Arguments) throws {
        guard let url = arguments["url"].flatMap({ URL(string: $0) }) else {
            throw Failure("expected the URL of a server after --url")
        }
        configuration = try ValkeyClient.Configuration(url)
        commands = try arguments.number("commands") ?? 1_000_000
    }

    func run() async throws {
        var table = Table("PING over one connection", "commands/s")
        for tasks in [1, 50, 1_000] {
            let count = min(commands, tasks * 10_000)
            table.add("\(tasks) in flight", (Double(count) / (try await ping(count, tasks) / .seconds(1))).integer)
        }
        table.print()
        let unlimited = LimitDemand(.init(1_000_000, burst: 1_000_000), maximumWait: .zero)
        let limited = LimitDemand(.init(4_000, burst: 1), maximumWait: .seconds(10))
        let late = max(
            try await measure("without a pause", unlimited), try await measure("with a limit of 4000/s", limited))
        guard late <= Self.limit else {
            throw Failure("expected a 99th percentile of at most \(Self.limit.micros) µs, found \(late.micros)")
        }
    }

    /// Prints the times of the calls of all workers. Returns the 99th percentile in microseconds.
    private func measure(_ name: String, _ demand: LimitDemand) async throws -> Double {
        let start = ContinuousClock.now
        let times = try await take(demand).sorted()
        let rate = Double(Self.workers * Self.takes) / ((ContinuousClock.now - start) / .seconds(1))
        let (median, late) = (times[times.count / 2], times[times.count * 99 / 100])
        print(
            "take, \(Self.workers) workers \(name): \(rate.integer)/s, median \(median.micros) µs, "
                + "99th percentile \(late.micros) µs")
        return late
    }

    /// Returns the time of a number of commands.
    private func ping(_ count: Int, _ tasks: Int) async throws -> Duration {
        let client = ValkeyClient(configuration)
        try await client.ping()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask { for _ in stride(from: task, to: count, by: tasks) { try await client.ping() } }
            }
            try await group.waitForAll()
        }
        return ContinuousClock.now - start
    }

    /// Returns the times of the calls in microseconds. Each worker has its own connection, and waits for each reserved time.
    private func take(_ demand: LimitDemand) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<Self.workers {
                let store = ValkeyLimitStore(ValkeyClient(configuration), prefix: "errand:bench:")
                group.addTask {
                    var times: [Double] = []
                    for turn in 0..<Self.takes {
                        let start = ContinuousClock.now
                        let decision = try await store.take("\(demand.rate)", demand)
                        // The first calls connect.
                        if turn >= 100 { times.append((ContinuousClock.now - start) / .microseconds(1)) }
                        guard case .granted(let grant) = decision else { throw Failure("a reservation was refused") }
                        if grant.wait > .zero { try await Task.sleep(for: grant.wait) }
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}
