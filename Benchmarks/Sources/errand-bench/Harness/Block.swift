import Dispatch

/// How much a variant runs before it is the next one's turn.
enum Block: Sendable {
    /// This many runs.
    case times(Int)
    /// Runs begin until this time is up: for variants of very different speed.
    case lasting(Duration)

    /// The share of one of several lanes, from now on.
    func lane(_ lane: Int, of lanes: Int) -> Lane {
        switch self {
        case .times(let times):
            Lane(remaining: max(0, (times - lane + lanes - 1) / lanes), end: nil)
        case .lasting(let duration):
            Lane(remaining: .max, end: ContinuousClock.now + duration)
        }
    }

    /// Counts the runs that one lane makes.
    struct Lane {
        fileprivate var remaining: Int
        fileprivate let end: ContinuousClock.Instant?
        /// How many runs have begun.
        private(set) var runs = 0

        fileprivate init(remaining: Int, end: ContinuousClock.Instant?) {
            self.remaining = remaining
            self.end = end
        }

        /// Whether there is to be one more run; each lane makes at least one where time limits it.
        mutating func next() -> Bool {
            if let end, runs > 0, ContinuousClock.now >= end { return false }
            guard remaining > 0 else { return false }
            remaining -= 1
            runs += 1
            return true
        }
    }
}
