import CAllocations
import Errand

/// The CPU time and the allocations that each interceptor, and the whole stack, adds to a call that does not need it.
///
/// The session responds immediately, so that nothing else is measured. The call uses a loader, like that of a program.
struct LayersBenchmark {
    /// The maximum CPU time that the whole stack may add to a call, in microseconds.
    private static let most = 10.0
    /// The same as a multiple of the call without interceptors, which takes 2.8 µs on an idle machine.
    private static let maximumTimes = 3.6
    static let urlText = "http://127.0.0.1/photos"

    struct Ping: APIHandler {
        let url: URL
        func makeRequest(from input: Void) -> URLRequest { URLRequest(url: url) }
        func parseResponse(data: Data, response: HTTPURLResponse) -> Int { data.count }
        func parseResponse(data: Data, head: ResponseHead) -> Int { data.count }
    }

    struct Canned: APISession {
        let response: APIResponse
        /// Runs on the caller's executor, like the sessions of the library.
        nonisolated(nonsending) func send(_ request: APIRequest) async throws -> APIResponse { response }
    }

    struct Subject {
        let name: String
        let call: @Sendable () async throws -> Int
    }

    func run() async throws {
        let subjects = try subjects()
        let results = try await Interleaving(block: .times(2_000), rounds: 15).measure(
            subjects.map { subject in Variant(awaiting: subject.name) { try await subject.call() } })
        print("The cost that an interceptor adds to a call that does not need it: median (quartiles) of 15 rounds")
        var table = Table("", "CPU µs added", "allocations added")
        let base = try await allocations(subjects[0])
        for (subject, result) in zip(subjects, results).dropFirst() {
            let added = result.difference(from: results[0])
            let more = try await allocations(subject) - base
            table.add(
                subject.name, "\(added.median.micros) (\(added.lowerQuartile.micros) … \(added.upperQuartile.micros))",
                errand_allocations_are_counted() ? more.tenths : "not counted on this platform")
        }
        table.print()
        print("a call without interceptors: \(results[0].cpu.median.micros) µs, \(base.tenths) allocations")
        // Uses the better rounds, and the ratio to the bare call, because other programs slow down both.
        let stack = results.last?.difference(from: results[0]).lowerQuartile ?? .infinity
        let bare = results[0].cpu.median
        print("the whole stack adds \(stack.micros) µs in the better rounds, \((stack / bare).tenths) x the bare call")
        guard stack <= Self.most || stack <= bare * Self.maximumTimes else {
            throw Failure(
                "the whole stack adds more than \(Self.most.micros) µs, and \(Self.maximumTimes) x the bare call")
        }
    }

    private func allocations(_ subject: Subject) async throws -> Double {
        let calls = 1_000
        for _ in 0..<calls { _ = try await subject.call() }
        errand_allocations_begin()
        for _ in 0..<calls { _ = try await subject.call() }
        return Double(errand_allocations_end()) / Double(calls)
    }
}
