import Errand

/// One promise of a ``/Errand/CacheStore``.
struct CacheStorePromise: ContractPromise, Sendable {
    let name: String
    /// What the stores must share for the check.
    var sharing = CacheStoreContract.Sharing.none
    let check: @Sendable (CacheStoreTrial) async throws -> Void

    private static let small = Data("small".utf8)
    private static let large = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })

    static let all: [CacheStorePromise] = storing + removing + shared

    private static let storing: [CacheStorePromise] = [
        CacheStorePromise(name: "a new store is empty") { trial in
            try await trial.expect([:], trial.key(1))
            guard try await trial.first.usage == CacheUsage() else { throw SessionContract.Broken("it has entries") }
        },
        CacheStorePromise(name: "a stored response is returned unchanged") { trial in
            for (number, body) in [Data(), small, large].enumerated() {
                let entry = try trial.entry("a", number, language: number == 1 ? "de" : nil)
                try await trial.insert(entry, body, trial.key(number))
                try await trial.expect(["a": body], trial.key(number))
                try await trial.expectStored(entry, size: body.count, trial.key(number))
            }
            let usage = try await trial.first.usage
            guard usage.entries == 3, usage.bytes >= large.count else {
                throw SessionContract.Broken("expected the usage of 3 entries, found \(usage)")
            }
        },
        CacheStorePromise(name: "an entry exists only after its writer has finished") { trial in
            let writer = try await trial.first.makeWriter(for: try trial.entry("a"), key: trial.key(1))
            _ = try await writer?.write(small)
            try await trial.expect([:], trial.key(1))
            await writer?.cancel()
            try await writer?.finish()
            try await trial.expect([:], trial.key(1))
        },
        CacheStorePromise(name: "a response replaces only the older one of its variant") { trial in
            try await trial.insert(try trial.entry("a", language: "de", sentBefore: 60), large, trial.key(1))
            try await trial.insert(try trial.entry("b", language: "en", sentBefore: 60), small, trial.key(1))
            try await trial.insert(try trial.entry("c", language: "de", sentBefore: 30), small, trial.key(1))
            try await trial.insert(try trial.entry("d", language: "en", sentBefore: 90), large, trial.key(1))
            try await trial.expect(["b": small, "c": small], trial.key(1))
        },
        CacheStorePromise(name: "the entries of accounts are separate") { trial in
            try await trial.insert(try trial.entry("a"), small, trial.key(1, "one"))
            try await trial.expect([:], trial.key(1))
            try await trial.expect([:], trial.key(1, "two"))
            try await trial.expect(["a": small], trial.key(1, "one"))
        },
        CacheStorePromise(name: "an update keeps the body, unless the entry was replaced") { trial in
            for (number, body) in [small, large].enumerated() {
                let key = trial.key(number)
                try await trial.insert(try trial.entry("a", number, sentBefore: 60), body, key)
                guard let found = try await trial.first.entries(for: key).first else {
                    throw SessionContract.Broken("no entry")
                }
                // The interceptor may have passed the body to its caller.
                let old = found.with(ResponseBody(), size: found.size ?? 0)
                let new = try trial.entry("b", number, sentBefore: 40).with(ResponseBody(), size: Int64(body.count))
                try await trial.first.update(new, replacing: old, for: key)
                try await trial.expect(["b": body], key)
                try await trial.insert(try trial.entry("c", number, sentBefore: 20), small, key)
                try await trial.first.update(new, replacing: old, for: key)
                try await trial.expect(["c": small], key)
                try await trial.first.remove(key)
                try await trial.first.update(new, replacing: old, for: key)
                try await trial.expect([:], key)
            }
        },
    ]

    private static let removing: [CacheStorePromise] = [
        CacheStorePromise(name: "entries are removed by key, by condition, or all at once") { trial in
            for number in 0..<6 { try await trial.insert(try trial.entry("a", number), small, trial.key(number)) }
            try await trial.first.remove(trial.key(0))
            try await trial.first.remove { $0.lastPathComponent == "1" }
            for number in 0..<6 { try await trial.expect(number < 2 ? [:] : ["a": small], trial.key(number)) }
            try await trial.first.removeAll()
            guard try await trial.first.usage == CacheUsage() else {
                throw SessionContract.Broken("it has entries after their removal")
            }
        },
        CacheStorePromise(name: "a response that is being written when all are removed is not stored") { trial in
            let writer = try await trial.first.makeWriter(for: try trial.entry("a"), key: trial.key(1))
            _ = try await writer?.write(small)
            try await trial.first.removeAll()
            try await writer?.finish()
            try await trial.expect([:], trial.key(1))
        },
        CacheStorePromise(name: "a lease is granted again after its end") { trial in
            for outcome in [CacheLease.Outcome.stored, .failed, .notStorable, .stored] {
                await (try await trial.first.lease(of: trial.key(1))).end(outcome)
            }
        },
    ]

    private static let shared: [CacheStorePromise] = [
        CacheStorePromise(name: "an entry of one store is found by the other", sharing: .entries) { trial in
            try await trial.insert(try trial.entry("a"), large, trial.key(1))
            try await trial.expect(["a": large], trial.key(1), in: trial.second)
            try await trial.second.remove(trial.key(1))
            try await trial.expect([:], trial.key(1))
        },
        CacheStorePromise(name: "one request gets the lease, and the others use its response", sharing: .leases) {
            trial in
            let requests = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let store = number % 2 == 0 ? trial.first : trial.second
                        let lease = try await store.lease(of: trial.key(1))
                        if !lease.hasNewEntries {
                            try await trial.insert(try trial.entry("a"), small, trial.key(1), into: store)
                        }
                        await lease.end(.stored)
                        try await trial.expect(["a": small], trial.key(1), in: store)
                        return !lease.hasNewEntries
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            guard requests == 1 else { throw SessionContract.Broken("expected 1 request, found \(requests)") }
        },
        CacheStorePromise(name: "requests do not wait for a response that is not storable", sharing: .leases) { trial in
            let first = try await trial.first.lease(of: trial.key(1))
            // As the interceptor does with a response that replaces the stored one.
            try await trial.first.remove(trial.key(1))
            await first.end(.notStorable)
            let leases = [
                try await trial.first.lease(of: trial.key(1)), try await trial.second.lease(of: trial.key(1)),
            ]
            for lease in leases { await lease.end(.notStorable) }
            guard !leases.contains(where: \.hasNewEntries) else { throw SessionContract.Broken("it has entries") }
        },
        CacheStorePromise(name: "a cancelled wait for a lease ends at once", sharing: .leases) { trial in
            let lease = try await trial.first.lease(of: trial.key(1))
            let waiting = Task { _ = try await trial.second.lease(of: trial.key(1)) }
            for _ in 0..<20 { await Task.yield() }
            waiting.cancel()
            let result = await waiting.result
            await lease.end(.failed)
            if case .success = result { throw SessionContract.Broken("the cancelled wait ended without an error") }
        },
    ]
}
