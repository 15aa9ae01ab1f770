public import Errand
import ErrandSupport

/// A test suite for the rules of every ``/Errand/TokenStore``. Run it on a custom store before you use the store.
///
/// ```swift
/// try await TokenStoreContract { account in FileTokenStore(folder.appending(path: account)) }.verify()
/// ```
/// It uses new accounts in each run. It waits for less than a second in all.
public struct TokenStoreContract: Sendable {
    private let isShared: Bool
    private let makeStore: @Sendable (_ account: String) async throws -> any TokenStore

    /// Creates the contract.
    /// - Parameters:
    ///   - isShared: Whether several stores with the same account have the same token, as in several processes. The default is
    ///     `true`.
    ///   - makeStore: Returns a store of an account. Called several times for the same account if the store is shared.
    public init(
        isShared: Bool = true, _ makeStore: @escaping @Sendable (_ account: String) async throws -> any TokenStore
    ) {
        (self.isShared, self.makeStore) = (isShared, makeStore)
    }

    /// The names of all promises, in the order in which they are checked.
    public static var promises: [String] { TokenStorePromise.all.map(\.name) }

    /// Checks every promise. The promises between several stores are checked only if the store is shared.
    /// - Throws: ``VerificationError`` with one problem for each broken promise (its name and the observed behavior).
    public func verify() async throws(VerificationError) {
        try await VerificationError.check(TokenStorePromise.all.filter { isShared || !$0.needsSharing }) { promise in
            let account = "contract-\(SystemRandom().uuid())"
            let first = try await makeStore(account)
            let trial = TokenStoreTrial(first: first, second: isShared ? try await makeStore(account) : first)
            try await promise.check(trial)
            try await first.save(nil)
        }
    }
}

/// Two stores of one account, or one store twice.
struct TokenStoreTrial: Sendable {
    let first: any TokenStore
    let second: any TokenStore

    func expect(_ store: any TokenStore, _ expected: OAuthToken?, _ what: String) async throws {
        let found = try await store.load()
        // The description of a token shows no secrets, and neither does this one.
        guard found == expected else {
            let kinds = (expected == nil ? "no token" : "the token", found == nil ? "none" : "another one")
            throw SessionContract.Broken("\(what): expected \(kinds.0), got \(kinds.1)")
        }
    }
}

struct TokenStorePromise: ContractPromise, Sendable {
    let name: String
    var needsSharing = false
    let check: @Sendable (TokenStoreTrial) async throws -> Void

    private static let whole = OAuthToken(
        access: Secret("access ü"), refresh: Secret("refresh"), expiry: Date(timeIntervalSince1970: 1_800_000_000.5),
        scope: ["read", "write"])

    private struct Failed: Error {}

    /// Counts running refreshes.
    private final class Refreshes: Sendable {
        private struct Counts: Sendable {
            var running = 0
            var most = 0
        }

        private let counts = Locked(Counts())

        /// The maximum number of refreshes that ran at the same time.
        var most: Int { counts.withLock { $0.most } }

        func begin() {
            counts.withLock { counts in
                counts.running += 1
                counts.most = max(counts.most, counts.running)
            }
        }

        func end() { counts.withLock { $0.running -= 1 } }
    }

    static let all: [TokenStorePromise] = [
        TokenStorePromise(name: "a new store is empty") { trial in
            try await trial.expect(trial.first, nil, "a new account")
        },
        TokenStorePromise(name: "a saved token is loaded unchanged, also a long one") { trial in
            let long = OAuthToken(access: Secret(String(repeating: "x", count: 16_000)))
            for token in [whole, OAuthToken(access: Secret("b")), long] {
                try await trial.first.save(token)
                try await trial.expect(trial.first, token, "after saving")
            }
        },
        TokenStorePromise(name: "saving nil removes the token, also twice") { trial in
            try await trial.first.save(whole)
            for _ in 0..<2 {
                try await trial.first.save(nil)
                try await trial.expect(trial.first, nil, "after removing")
            }
        },
        TokenStorePromise(name: "a refresh runs once, and can save") { trial in
            let runs = Locked(0)
            try await trial.first.exclusively {
                runs.withLock { $0 += 1 }
                try await trial.first.save(whole)
            }
            try await trial.expect(trial.first, whole, "after a refresh")
            guard runs.withLock({ $0 }) == 1 else { throw SessionContract.Broken("the refresh did not run once") }
        },
        TokenStorePromise(name: "the error of a refresh is thrown, and another refresh can follow") { trial in
            do {
                try await trial.first.exclusively { throw Failed() }
                throw SessionContract.Broken("expected the error of the refresh")
            } catch is Failed {}
            try await trial.first.exclusively {}
        },
        TokenStorePromise(name: "a token of one store is found by the other", needsSharing: true) { trial in
            try await trial.first.save(whole)
            try await trial.expect(trial.second, whole, "in the other store")
            try await trial.second.save(nil)
            try await trial.expect(trial.first, nil, "after the other one has removed it")
        },
        TokenStorePromise(name: "refreshes of several stores do not overlap", needsSharing: true) { trial in
            let refreshes = Refreshes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        try await (number % 2 == 0 ? trial.first : trial.second).exclusively {
                            refreshes.begin()
                            for _ in 0..<10 where refreshes.most == 1 {
                                try await SystemTime.system.sleep(until: SystemTime.system.now + .milliseconds(1))
                            }
                            refreshes.end()
                        }
                    }
                }
                try await group.waitForAll()
            }
            guard refreshes.most == 1 else { throw SessionContract.Broken("two refreshes ran at the same time") }
        },
        TokenStorePromise(name: "a cancelled wait ends at once, and its refresh does not run", needsSharing: true) {
            trial in
            let refreshes = Refreshes()
            try await trial.first.exclusively {
                let waiting = Task { try await trial.second.exclusively { refreshes.begin() } }
                // A refresh that does not wait begins within this time, unless the machine is too busy to start the task.
                for _ in 0..<50 where refreshes.most == 0 {
                    try await SystemTime.system.sleep(until: SystemTime.system.now + .milliseconds(1))
                }
                waiting.cancel()
                if case .success = await waiting.result {
                    throw SessionContract.Broken("the cancelled wait ended without an error")
                }
            }
            guard refreshes.most == 0 else { throw SessionContract.Broken("the cancelled refresh ran") }
        },
    ]
}
