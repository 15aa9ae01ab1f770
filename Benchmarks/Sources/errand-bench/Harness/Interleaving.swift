/// Measures variants in turns, so that what else the machine does falls on all of them alike.
///
/// A round runs a block of each variant in order and then the same in reverse (A B C C B A); each round begins with
/// another one.
struct Interleaving {
    /// How much a variant runs at a time; twice as much in a round.
    let block: Block
    let rounds: Int

    /// Runs all variants; one uncounted block of each comes first.
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

/// What running once took, in microseconds.
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

/// A variant's cost in each round.
struct Measurement {
    let name: String
    fileprivate(set) var rounds: [Cost] = []

    var cpu: Spread { Spread(rounds.map(\.cpu)) }
    var wall: Spread { Spread(rounds.map(\.wall)) }
    /// How often it ran in a second.
    var rate: Spread { Spread(rounds.map { $0.wall > 0 ? 1_000_000 / $0.wall : 0 }) }

    /// How much more CPU this takes in each round than another variant, as a part of that one's.
    func additions(to other: Measurement) -> [Double] {
        zip(rounds, other.rounds).map { own, base in base.cpu > 0 ? own.cpu / base.cpu - 1 : 0 }
    }

    /// How many microseconds of CPU this takes more than another variant in the same round.
    func difference(from other: Measurement) -> Spread {
        Spread(zip(rounds, other.rounds).map { own, base in own.cpu - base.cpu })
    }

    /// This one's CPU as a multiple of another's in the same round.
    func cpuRatio(to other: Measurement) -> Spread { Spread(additions(to: other).map { $0 + 1 }) }

    /// This one's rate as a multiple of another's in the same round.
    func rateRatio(to other: Measurement) -> Spread {
        Spread(zip(rounds, other.rounds).map { own, base in own.wall > 0 ? base.wall / own.wall : 0 })
    }
}
