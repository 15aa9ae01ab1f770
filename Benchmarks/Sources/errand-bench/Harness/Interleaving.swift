/// Measures variants in turns, so that what else the machine does falls on all of them alike.
///
/// A round runs a block of each variant in order and then the same in reverse (A B C C B A); each round begins with
/// another one.
struct Interleaving {
    /// How often a variant runs in one block; twice as often in a round.
    let block: Int
    let rounds: Int

    /// Runs all variants; one uncounted block of each comes first.
    func measure(_ variants: [Variant]) async throws -> [Measurement] {
        for variant in variants { try await variant.run(block) }
        var figures = variants.map { Measurement(name: $0.name) }
        for round in 0..<rounds {
            let order = variants.indices.map { ($0 + round) % variants.count }
            var costs = [Cost](repeating: Cost(), count: variants.count)
            for index in order + order.reversed() {
                let start = ProcessClock.now
                try await variants[index].run(block)
                costs[index].add(from: start, to: .now, per: 2 * block)
            }
            for index in variants.indices { figures[index].rounds.append(costs[index]) }
        }
        return figures
    }
}

/// What running once took, in microseconds.
struct Cost {
    private(set) var cpu = 0.0
    private(set) var wall = 0.0

    fileprivate mutating func add(from start: ProcessClock, to end: ProcessClock, per times: Int) {
        cpu += (end.cpu - start.cpu) / Double(times)
        wall += (end.wall - start.wall) / Double(times)
    }
}

/// A variant's cost in each round.
struct Measurement {
    let name: String
    fileprivate(set) var rounds: [Cost] = []

    var cpu: Spread { Spread(rounds.map(\.cpu)) }
    var wall: Spread { Spread(rounds.map(\.wall)) }

    /// How much more CPU this takes in each round than another variant, as a part of that one's.
    func additions(to other: Measurement) -> [Double] {
        zip(rounds, other.rounds).map { own, base in base.cpu > 0 ? own.cpu / base.cpu - 1 : 0 }
    }

    /// How many microseconds of CPU this takes more than another variant in the same round.
    func difference(from other: Measurement) -> Spread {
        Spread(zip(rounds, other.rounds).map { own, base in own.cpu - base.cpu })
    }
}
