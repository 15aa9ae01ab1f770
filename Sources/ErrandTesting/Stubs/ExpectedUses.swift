/// How often a stub's route is to be used: less is a complaint of ``StubSession/verify()``, and a request more than that
/// goes to the next route that matches.
public struct ExpectedUses: Sendable, Hashable {
    let minimum: Int
    let maximum: Int?

    /// Once or more often: what a route expects by default.
    public static let atLeastOnce: Self = .init(minimum: 1, maximum: nil)

    /// Any number of times, never included.
    public static let anyNumber: Self = .init(minimum: 0, maximum: nil)

    /// So many times; a negative number counts as 0.
    public static func exactly(_ count: Int) -> Self { Self(minimum: max(0, count), maximum: max(0, count)) }

    /// Whether a route that was used so often may be used again.
    func allowsMore(than count: Int) -> Bool { maximum.map { count < $0 } ?? true }
}

extension ExpectedUses: CustomStringConvertible {
    /// The expectation in words, such as `exactly twice`.
    public var description: String {
        guard let maximum else { return minimum == 0 ? "any number" : "at least once" }
        return "exactly \(maximum.asOften)"
    }
}

extension Int {
    /// This number as an answer to "how often".
    var asOften: String {
        switch self {
        case 0: "never"
        case 1: "once"
        case 2: "twice"
        default: "\(self) times"
        }
    }
}
