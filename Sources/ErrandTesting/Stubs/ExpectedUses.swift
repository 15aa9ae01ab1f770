/// The expected number of uses of a stub's route.
///
/// Fewer uses are a problem in ``StubSession/verify()``. A request beyond the maximum goes to the next matching route.
public struct ExpectedUses: Sendable, Hashable {
    let minimum: Int
    let maximum: Int?

    /// Once or more often. This is the default of a route.
    public static let atLeastOnce: Self = .init(minimum: 1, maximum: nil)

    /// Any number of times, including never.
    public static let anyNumber: Self = .init(minimum: 0, maximum: nil)

    /// Exactly `count` times. Negative numbers count as 0.
    public static func exactly(_ count: Int) -> Self { Self(minimum: max(0, count), maximum: max(0, count)) }

    /// Whether a route with this number of uses may be used again.
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
    /// The number in words, such as `never`, `once` or `3 times`.
    var asOften: String {
        switch self {
        case 0: "never"
        case 1: "once"
        case 2: "twice"
        default: "\(self) times"
        }
    }
}
