public import Errand
import ErrandSupport

/// A test suite for the rules of every ``/Errand/LimitStore``. Run it on a custom store before you use the store.
///
/// ```swift
/// try await LimitStoreContract { MemoryLimitStore() }.verify()
/// ```
/// The contract cannot check that a call ends when its task is cancelled. It uses new keys in each
/// run. It does not wait, because it checks only the waits that the store returns. A run takes well under a second if a call takes a
/// millisecond.
public struct LimitStoreContract: Sendable {
    private let makeStore: @Sendable () async throws -> any LimitStore
    private let tolerance: Duration

    /// Creates the contract.
    /// - Parameters:
    ///   - tolerance: The time that all calls of a promise may take together. Waits may be shorter by this time. The
    ///     default is 2 seconds.
    ///   - makeStore: Returns the store. Called once for each promise.
    public init(
        tolerance: Duration = .seconds(2), _ makeStore: @escaping @Sendable () async throws -> any LimitStore
    ) {
        (self.tolerance, self.makeStore) = (max(.zero, tolerance), makeStore)
    }

    /// The names of all promises, in the order in which they are checked.
    public static var promises: [String] { LimitStorePromise.all.map(\.name) }

    /// Checks every promise.
    /// - Throws: ``VerificationError`` with one problem for each broken promise (its name and the observed behavior).
    public func verify() async throws(VerificationError) {
        try await VerificationError.check(LimitStorePromise.all) { promise in
            let trial = LimitStoreTrial(store: try await makeStore(), tolerance: tolerance)
            try await promise.check(trial)
        }
    }
}

/// The context in which a store is checked for one promise.
struct LimitStoreTrial: Sendable {
    let store: any LimitStore
    let tolerance: Duration
    let key = "contract-\(SystemRandom().uuid())"

    /// Takes from the limit of this trial: 1 request in 100 seconds, with a burst of 3.
    func take(_ key: String? = nil, cost: Int = 1, upTo maximum: Duration = .seconds(10_000)) async throws
        -> LimitDecision
    {
        let rate = RateLimitInterceptor.Policy.Rate(1, per: .seconds(100), burst: 3)
        return try await store.take(key ?? self.key, LimitDemand(rate, cost: cost, maximumWait: maximum))
    }

    /// Takes, and expects a grant.
    func granted(_ key: String? = nil, cost: Int = 1) async throws -> LimitGrant {
        let decision = try await take(key, cost: cost)
        guard case .granted(let grant) = decision else {
            throw SessionContract.Broken("expected a reservation, got \(decision)")
        }
        return grant
    }

    /// Returns a reservation as it is now.
    func updated(_ grant: LimitGrant) async throws -> LimitGrant {
        try await store.update(grant, of: key)
    }

    func expect(_ wait: Duration, _ expected: Duration, _ what: String) throws {
        guard (max(.zero, expected - tolerance)...expected).contains(wait) else {
            throw SessionContract.Broken(
                "\(what): expected a wait of \(expected.milliseconds) ms, got \(wait.milliseconds) ms")
        }
    }
}

/// A rule of limit stores.
struct LimitStorePromise: ContractPromise, Sendable {
    let name: String
    let check: @Sendable (LimitStoreTrial) async throws -> Void

    static let all: [LimitStorePromise] = [
        LimitStorePromise(name: "a burst is granted at once, and each later reservation waits longer") { trial in
            for _ in 1...3 { try trial.expect(try await trial.granted().wait, .zero, "within the burst") }
            try trial.expect(try await trial.granted().wait, .seconds(100), "after the burst")
            try trial.expect(try await trial.granted().wait, .seconds(200), "after another one")
        },
        LimitStorePromise(name: "a refusal reserves nothing") { trial in
            try trial.expect(try await trial.granted(cost: 3).wait, .zero, "the whole burst")
            for _ in 1...3 {
                let decision = try await trial.take(upTo: .seconds(50))
                guard case .refused(let refusal) = decision, !refusal.isFromServer else {
                    throw SessionContract.Broken("expected a refusal because of the rate, got \(decision)")
                }
                try trial.expect(refusal.wait, .seconds(100), "refused")
            }
            try trial.expect(try await trial.granted().wait, .seconds(100), "after the refusals")
        },
        LimitStorePromise(name: "keys have separate limits") { trial in
            _ = try await trial.granted(cost: 3)
            try trial.expect(try await trial.granted(trial.key + "-other").wait, .zero, "another key")
        },
        LimitStorePromise(name: "a pause delays later reservations and moves earlier ones") { trial in
            _ = try await trial.granted(cost: 3)
            let early = try await trial.granted()
            try trial.expect(try await trial.updated(early).wait, .zero, "without a pause")
            try await trial.store.observe(trial.key, LimitObservation(pause: .seconds(1_000)))
            let moved = try await trial.updated(early)
            try trial.expect(moved.wait, .seconds(1_000), "moved")
            try trial.expect(try await trial.updated(moved).wait, .zero, "after the move")
            let late = try await trial.granted()
            try trial.expect(late.wait, .seconds(1_200), "after the pause")
            try trial.expect(try await trial.updated(late).wait, .zero, "reserved after the pause")
            try await trial.store.observe(trial.key, LimitObservation(pause: .seconds(500)))
            try trial.expect(try await trial.updated(late).wait, .zero, "a shorter pause")
        },
        LimitStorePromise(name: "the quota of the server limits reservations until it is reset") { trial in
            let start = ContinuousClock.now
            let quota = LimitObservation.Quota(remaining: 1, reset: .seconds(1_000))
            try await trial.store.observe(trial.key, LimitObservation(quota: quota))
            try trial.expect(try await trial.granted().wait, .zero, "the last one of the quota")
            let late = try await trial.granted()
            try trial.expect(late.wait, .seconds(1_000), "after the quota")
            // The response to the first request. A server reports the time that is left.
            let left = Duration.seconds(1_000) - (ContinuousClock.now - start)
            let rest = LimitObservation.Quota(remaining: 0, reset: left)
            try await trial.store.observe(trial.key, LimitObservation(quota: rest))
            try trial.expect(try await trial.updated(late).wait, .zero, "reserved after the quota")
        },
        LimitStorePromise(name: "concurrent reservations have different times") { trial in
            let waits = try await withThrowingTaskGroup(of: Duration.self) { group in
                for _ in 1...20 { group.addTask { try await trial.granted().wait } }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
            for (index, wait) in waits.enumerated() {
                try trial.expect(wait, .seconds(100 * max(0, index - 2)), "reservation \(index + 1) of 20")
            }
        },
    ]
}
