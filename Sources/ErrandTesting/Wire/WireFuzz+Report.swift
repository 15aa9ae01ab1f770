extension WireFuzz {
    /// What a run has shown.
    public struct Report: Sendable {
        /// After so many calls that never ended a run gives up.
        static let hangLimit = 20

        /// The requests that were sent.
        public internal(set) var count: Int = 0
        /// Those that were answered, rightly.
        public internal(set) var answered: Int = 0
        /// Those that ended with an error, rightly.
        public internal(set) var refused: Int = 0
        /// The calls that never ended.
        public internal(set) var hangs: Int = 0
        /// What was wrong, in the order of its discovery.
        public internal(set) var violations: [Violation] = []
        /// How long the run took.
        public internal(set) var elapsed: Duration = .zero
        /// What has to be tried again before it counts.
        var doubts: [WireExchange] = []

        /// Makes an empty report.
        init() {}
    }

    /// One exchange of which a session made what it must not.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The exchange's number; with the seed it makes the bytes again.
        public let index: Int
        /// The exchange in words: seed, index, mutations.
        public let exchange: String
        /// What was wrong.
        public let complaint: String

        /// Both in one line.
        public var description: String { "\(exchange): \(complaint)" }
    }
}

extension WireFuzz.Report {
    mutating func add(_ exchange: WireExchange, _ outcome: WireFuzz.Outcome) {
        count += 1
        switch outcome {
        case .doubtful: doubts.append(exchange)
        default: settle(exchange, outcome)
        }
    }

    mutating func settle(_ exchange: WireExchange, _ outcome: WireFuzz.Outcome) {
        switch outcome {
        case .fine(isAnswer: true): answered += 1
        case .fine(isAnswer: false): refused += 1
        case .wrong(let complaint), .doubtful(let complaint): complain(exchange, complaint)
        case .hung:
            hangs += 1
            complain(exchange, "it never ended")
        }
    }

    private mutating func complain(_ exchange: WireExchange, _ complaint: String) {
        violations.append(.init(index: exchange.index, exchange: exchange.description, complaint: complaint))
    }
}

extension WireFuzz.Report: CustomStringConvertible {
    /// The figures, then one line for each of the first fifty violations.
    public var description: String {
        let figures =
            "\(count) exchanges in \(elapsed): \(answered) answered, \(refused) refused, "
            + "\(violations.count) violations, \(hangs) hangs"
        let more = violations.count > 50 ? ["and \(violations.count - 50) more"] : []
        return ([figures] + violations.prefix(50).map(\.description) + more).joined(separator: "\n")
    }
}
