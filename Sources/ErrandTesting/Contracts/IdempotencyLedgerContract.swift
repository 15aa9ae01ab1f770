public import Errand
import ErrandSupport

/// A test suite for the rules of every ``/Errand/IdempotencyLedger``. Run it on a custom ledger before you use it.
///
/// ```swift
/// try await IdempotencyLedgerContract { MemoryIdempotencyLedger() }.verify()
/// ```
/// It uses new keys in each run, and does not wait.
public struct IdempotencyLedgerContract: Sendable {
    private let makeLedger: @Sendable () async throws -> any IdempotencyLedger

    /// Creates the contract.
    /// - Parameter makeLedger: Returns the ledger. Called once for each promise.
    public init(_ makeLedger: @escaping @Sendable () async throws -> any IdempotencyLedger) {
        self.makeLedger = makeLedger
    }

    /// The names of all promises, in the order in which they are checked.
    public static var promises: [String] { IdempotencyPromise.all.map(\.name) }

    /// Checks every promise.
    /// - Throws: ``VerificationError`` with one problem for each broken promise (its name and the observed behavior).
    public func verify() async throws(VerificationError) {
        try await VerificationError.check(IdempotencyPromise.all) { promise in
            try await promise.check(IdempotencyTrial(ledger: try await makeLedger()))
        }
    }
}

/// A ledger with a new key.
struct IdempotencyTrial: Sendable {
    let ledger: any IdempotencyLedger
    let key = "contract-\(SystemRandom().uuid())"

    static func record(_ body: Data = Data("created".utf8)) throws -> IdempotencyRecord {
        guard let url = URL(string: "https://api.example/orders") else {
            throw SessionContract.Broken("the URL is invalid")
        }
        let head = ResponseHead(status: 201, headers: ["Location": "/orders/ü", "X": "1", "x": "2"], url: url)
        return IdempotencyRecord(head: head, body: body, date: Date(timeIntervalSince1970: 1_800_000_000.5))
    }

    /// Expects a decision, by its name.
    func expect(
        _ expected: String, _ owner: String, _ request: String = "r", lease: Duration = .seconds(60)
    ) async throws {
        let decision = try await ledger.begin(key, request: request, owner: owner, lease: lease)
        let found = decision.name
        guard found == expected else { throw SessionContract.Broken("expected “\(expected)”, found “\(found)”") }
    }
}

extension IdempotencyDecision {
    /// The name of the decision, for comparisons.
    package var name: String {
        switch self {
        case .reserved: "reserved"
        case .busy(let left): left > .zero && left <= .seconds(60) ? "busy" : "busy for \(left.milliseconds) ms"
        case .recorded: "recorded"
        case .otherRequest: "other request"
        }
    }
}

struct IdempotencyPromise: ContractPromise, Sendable {
    let name: String
    let check: @Sendable (IdempotencyTrial) async throws -> Void

    static let all: [IdempotencyPromise] = [
        IdempotencyPromise(name: "one owner reserves a new key and can extend the reservation") { trial in
            try await trial.expect("reserved", "a")
            try await trial.expect("busy", "b")
            try await trial.expect("reserved", "a")
            try await trial.expect("busy", "b")
        },
        IdempotencyPromise(name: "a recorded response is returned unchanged") { trial in
            for body in [Data(), Data("created".utf8), Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })] {
                let trial = IdempotencyTrial(ledger: trial.ledger)
                try await trial.expect("reserved", "a")
                let record = try IdempotencyTrial.record(body)
                try await trial.ledger.finish(trial.key, owner: "a", with: record)
                let found = try await trial.ledger.begin(trial.key, request: "r", owner: "b", lease: .seconds(60))
                guard case .recorded(let stored) = found, stored == record else {
                    throw SessionContract.Broken("the response was lost or changed")
                }
                try await trial.expect("recorded", "a")
            }
        },
        IdempotencyPromise(name: "a key that was abandoned can be reserved by another owner") { trial in
            try await trial.expect("reserved", "a")
            try await trial.ledger.abandon(trial.key, owner: "b")
            try await trial.expect("busy", "b")
            try await trial.ledger.abandon(trial.key, owner: "a")
            try await trial.expect("reserved", "b")
        },
        IdempotencyPromise(name: "a reservation expires if its owner does not extend it") { trial in
            try await trial.expect("reserved", "a", lease: .zero)
            try await trial.expect("reserved", "b")
            try await trial.ledger.finish(trial.key, owner: "a", with: try IdempotencyTrial.record())
            try await trial.expect("busy", "a")
        },
        IdempotencyPromise(name: "a key is used for one request only") { trial in
            try await trial.expect("reserved", "a")
            try await trial.expect("other request", "b", "another")
            try await trial.ledger.finish(trial.key, owner: "a", with: try IdempotencyTrial.record())
            try await trial.expect("other request", "b", "another")
        },
        IdempotencyPromise(name: "a response is neither replaced nor abandoned") { trial in
            try await trial.expect("reserved", "a")
            try await trial.ledger.finish(trial.key, owner: "a", with: try IdempotencyTrial.record())
            try await trial.ledger.finish(trial.key, owner: "a", with: try IdempotencyTrial.record(Data("b".utf8)))
            try await trial.ledger.abandon(trial.key, owner: "a")
            let found = try await trial.ledger.begin(trial.key, request: "r", owner: "b", lease: .seconds(60))
            guard case .recorded(let stored) = found, stored == (try IdempotencyTrial.record()) else {
                throw SessionContract.Broken("the response was lost or changed")
            }
        },
        IdempotencyPromise(name: "one of many owners reserves a key") { trial in
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let decision = try await trial.ledger.begin(
                            trial.key, request: "r", owner: "\(number)", lease: .seconds(60))
                        if case .reserved = decision { return true }
                        return false
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            guard count == 1 else { throw SessionContract.Broken("expected 1 owner, found \(count)") }
        },
    ]
}
