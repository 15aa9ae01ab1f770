extension WireFuzz {
    /// The results of a run.
    public struct Report: Sendable {
        /// The number of hanging requests after which a run stops.
        static let hangLimit = 20

        /// The number of requests that were sent.
        public internal(set) var count: Int = 0
        /// The number of requests with a correct response.
        public internal(set) var accepted: Int = 0
        /// The number of requests with a permitted error.
        public internal(set) var refused: Int = 0
        /// The number of requests that never ended.
        public internal(set) var hangs: Int = 0
        /// The violations, in order of detection.
        public internal(set) var violations: [Violation] = []
        /// The duration of the run.
        public internal(set) var elapsed: Duration = .zero
        /// The exchanges that must be repeated before they count.
        var doubts: [WireExchange] = []

        /// Creates an empty report.
        init() {}
    }

    /// An exchange with a wrong result of the session.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The index of the exchange. Together with the seed, it reproduces the bytes.
        public let index: Int
        /// The description of the exchange: seed, index, mutations.
        public let exchange: String
        /// The reason why the result is wrong.
        public let reason: String

        /// The exchange and the reason on one line.
        public var description: String { "\(exchange): \(reason)" }
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
        case .fine(isResponse: true): accepted += 1
        case .fine(isResponse: false): refused += 1
        case .wrong(let complaint), .doubtful(let complaint): complain(exchange, complaint)
        case .hung:
            hangs += 1
            complain(exchange, "the request never ended")
        }
    }

    private mutating func complain(_ exchange: WireExchange, _ reason: String) {
        violations.append(.init(index: exchange.index, exchange: exchange.description, reason: reason))
    }
}

extension WireFuzz.Report: CustomStringConvertible {
    /// The counters, then one line for each of the first fifty violations.
    public var description: String {
        let figures =
            "\(count) exchanges in \(elapsed): \(accepted) accepted, \(refused) refused, "
            + "\(violations.count) violations, \(hangs) hangs"
        let more = violations.count > 50 ? ["and \(violations.count - 50) more"] : []
        return ([figures] + violations.prefix(50).map(\.description) + more).joined(separator: "\n")
    }
}
