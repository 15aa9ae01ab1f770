import Dispatch

/// The amount of work of a variant before the next variant runs.
enum Block: Sendable {
    /// A number of runs.
    case times(Int)
    /// Runs that start within a duration. Use it for variants of very different speed.
    case lasting(Duration)

    /// Returns the share of one of several lanes. A duration starts now.
    func lane(_ lane: Int, of lanes: Int) -> Lane {
        switch self {
        case .times(let times):
            Lane(remaining: max(0, (times - lane + lanes - 1) / lanes), end: nil)
        case .lasting(let duration):
            Lane(remaining: .max, end: ContinuousClock.now + duration)
        }
    }

    /// Counts the runs of one lane.
    struct Lane {
        fileprivate var remaining: Int
        fileprivate let end: ContinuousClock.Instant?
        /// The number of started runs.
        private(set) var runs = 0

        fileprivate init(remaining: Int, end: ContinuousClock.Instant?) {
            self.remaining = remaining
            self.end = end
        }

        /// Returns whether to start another run. If a duration limits the block, each lane still runs at least once.
        mutating func next() -> Bool {
            if let end, runs > 0, ContinuousClock.now >= end { return false }
            guard remaining > 0 else { return false }
            remaining -= 1
            runs += 1
            return true
        }
    }
}
