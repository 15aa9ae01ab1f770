/// Measures variants alternately, so that the load of other programs affects all of them equally.
///
/// A round runs a block of each variant in order, and then again in reverse order (A B C C B A). Each round starts with
/// another variant.
struct Interleaving {
    /// The work of a variant between two others. Each round has two blocks of each variant.
    let block: Block
    let rounds: Int

    /// Runs all variants. One block of each variant runs first without being measured.
    func measure(_ variants: [Variant]) async throws -> [Measurement] {
        for variant in variants { _ = try await variant.run(block) }
        var figures = variants.map { Measurement(name: $0.name) }
        for round in 0..<rounds {
            let order = variants.indices.map { ($0 + round) % variants.count }
            var costs = [Cost](repeating: Cost(), count: variants.count)
            for index in order + order.reversed() {
                let start = ProcessClock.now
                let runs = try await variants[index].run(block)
                costs[index].add(from: start, to: .now, runs: runs)
            }
            for index in variants.indices { figures[index].rounds.append(costs[index]) }
        }
        return figures
    }
}

/// The mean time of a run, in microseconds.
struct Cost {
    private var used = (cpu: 0.0, wall: 0.0)
    private var runs = 0

    var cpu: Double { used.cpu / Double(max(1, runs)) }
    var wall: Double { used.wall / Double(max(1, runs)) }

    fileprivate mutating func add(from start: ProcessClock, to end: ProcessClock, runs: Int) {
        used.cpu += end.cpu - start.cpu
        used.wall += end.wall - start.wall
        self.runs += runs
    }
}

/// The cost of a variant in each round.
struct Measurement {
    let name: String
    fileprivate(set) var rounds: [Cost] = []

    var cpu: Spread { Spread(rounds.map(\.cpu)) }
    var wall: Spread { Spread(rounds.map(\.wall)) }
    /// The number of runs per second.
    var rate: Spread { Spread(rounds.map { $0.wall > 0 ? 1_000_000 / $0.wall : 0 }) }

    /// The additional CPU time compared with another variant in each round, as a fraction of the other variant's time.
    func additions(to other: Measurement) -> [Double] {
        zip(rounds, other.rounds).map { own, base in base.cpu > 0 ? own.cpu / base.cpu - 1 : 0 }
    }

    /// The additional CPU time compared with another variant in the same round, in microseconds.
    func difference(from other: Measurement) -> Spread {
        Spread(zip(rounds, other.rounds).map { own, base in own.cpu - base.cpu })
    }

    /// The ratio of the CPU time to that of another variant in the same round.
    func cpuRatio(to other: Measurement) -> Spread { Spread(additions(to: other).map { $0 + 1 }) }

    /// The ratio of the rate to that of another variant in the same round.
    func rateRatio(to other: Measurement) -> Spread {
        Spread(zip(rounds, other.rounds).map { own, base in own.wall > 0 ? base.wall / own.wall : 0 })
    }
}
