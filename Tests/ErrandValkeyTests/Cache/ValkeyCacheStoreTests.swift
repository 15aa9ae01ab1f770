#if os(Linux)
    import Errand
    import ErrandSupport
    import ErrandTesting
    import ErrandValkey
    import Foundation
    import TestSupport
    import Testing

    /// The store of responses on each server program.
    @Suite(.timeLimit(.minutes(2)), .needsValkey, .serialized) struct ValkeyCacheStoreTests {
        private static let key = Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")

        private func store(
            _ server: ValkeyServer, _ name: String = "test", capacity: Int64 = 1 << 20, entryLimit: Int64? = nil,
            isSealed: Bool = true, time: some TimeSource = .system
        ) throws -> ValkeyCacheStore {
            ValkeyCacheStore(
                server.client(), seal: isSealed ? try ValueSeal(key: Self.key) : nil, capacity: capacity,
                entryLimit: entryLimit, prefix: "errand:cache:\(name):", time: time)
        }

        private func url(_ number: Int) throws -> URL { try #require(URL(string: "https://api.example/\(number)")) }

        private func insert(
            _ number: Int, _ body: Data, account: String? = nil, at date: Date = Date(), into store: ValkeyCacheStore
        ) async throws -> Bool {
            let head = ResponseHead(status: 200, headers: ["Set-Cookie": "s3cret"], url: try url(number))
            let entry = CacheEntry(
                head: head, requestDate: date, responseDate: date, selection: VarySelection())
            let key = CacheKey(url: try url(number).absoluteString, identity: account.map { Credentials.Identity($0) })
            guard let writer = store.makeWriter(for: entry, key: key), try await writer.write(body) else {
                return false
            }
            try await writer.finish()
            return true
        }

        private func body(_ number: Int, in store: ValkeyCacheStore) async throws -> Data? {
            try await store.entries(for: CacheKey(url: try url(number).absoluteString)).first?.body.collect()
        }

        @Test(arguments: ValkeyServer.programs, [false, true])
        func `the store passes the contract`(program: String, isSecured: Bool) async throws {
            let server = try await ValkeyServer.start(program, isSecured: isSecured)
            try await CacheStoreContract(sharing: .leases) { try store(server, $0) }.verify()
        }

        @Test(arguments: ValkeyServer.programs)
        func `the server has no response in readable form`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let sealed = try store(server)
            #expect(try await insert(1, Data("s3cret".utf8), account: "s3cret", into: sealed))
            var texts: [String] = []
            let client = server.client()
            for name in try await client.send(RESPCommand("KEYS", "*")).array?.compactMap(\.string) ?? [] {
                let kind = try await client.send(RESPCommand("TYPE", name)).string
                let command = kind == "zset" ? RESPCommand("ZRANGE", name, "0", "-1") : RESPCommand("HGETALL", name)
                let fields = try await client.send(command).array?.compactMap(\.bytes) ?? []
                texts += fields.map { String(decoding: $0, as: UTF8.self) } + [name]
            }
            #expect(texts.count > 10)
            #expect(!texts.contains { $0.contains("s3cret") || $0.contains("api.example") })
            let open = try store(server, isSealed: false)
            #expect(try await insert(2, Data("x".utf8), account: "one", into: open) == false)
            #expect(try await insert(2, Data("x".utf8), into: open))
        }

        @Test(arguments: ValkeyServer.programs)
        func `an entry with another seal is not used, and is counted`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            #expect(try await insert(1, Data("a".utf8), into: try store(server)))
            let other = try store(server, isSealed: false)
            #expect(try await body(1, in: other) == nil)
            #expect(other.damagedEntries == 1)
            #expect(try await body(1, in: try store(server)) == Data("a".utf8))
        }

        @Test(arguments: ValkeyServer.programs)
        func `the least recently used entries are removed`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let store = try store(server, capacity: 40_000, entryLimit: 30_000)
            for number in 0..<3 { #expect(try await insert(number, Data(count: 10_000), into: store)) }
            #expect(try await body(0, in: store)?.count == 10_000)
            #expect(try await insert(3, Data(count: 15_000), into: store))
            let kept = [true, false, true, true]
            for number in 0..<4 { #expect(try await (body(number, in: store) != nil) == kept[number]) }
            let usage = try await store.usage
            #expect(usage.entries == 3 && usage.bytes <= 40_000 && usage.bytes > 35_000)
            #expect(try await insert(4, Data(count: 30_001), into: store) == false)
            #expect(try await insert(4, Data(count: 30_000), into: store))
            #expect(try await store.usage.bytes <= 40_000)
            // An entry that needs more than the complete capacity with its headers is not stored.
            let small = try self.store(server, "small", capacity: 10_000, entryLimit: 10_000)
            let error = await #expect(throws: ServiceError.self) {
                try await insert(1, Data(count: 10_000), into: small)
            }
            #expect(error?.code == .file)
            #expect(try await small.usage == CacheUsage())
        }

        @Test(arguments: ValkeyServer.programs)
        func `the sizes are right again after the server has removed keys`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let (store, client) = (try store(server, capacity: 40_000, entryLimit: 30_000), server.client())
            for lost in ["index", "sizes", "entry"] {
                for number in 0..<3 { #expect(try await insert(number, Data(count: 10_000), into: store)) }
                let digest = CacheKey(url: try url(2).absoluteString).digest
                _ = try await client.send(
                    RESPCommand("DEL", "errand:cache:test:" + (lost == "entry" ? digest : lost)))
                for number in 2..<12 { #expect(try await insert(number, Data(count: 10_000), into: store)) }
                let usage = try await store.usage
                #expect(usage.entries == 3 && (30_000...40_000).contains(usage.bytes), "without \(lost): \(usage)")
                try await store.removeAll()
                #expect(try await store.usage == CacheUsage(), "without \(lost)")
            }
        }

        @Test(arguments: ValkeyServer.programs)
        func `a wrong clock of one process makes no difference`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let clock = ManualClock()
            let (right, wrong) = (try store(server), try store(server, time: clock))
            #expect(try await insert(1, Data("a".utf8), at: clock.date.addingTimeInterval(-10), into: wrong))
            let key = CacheKey(url: try url(1).absoluteString)
            let found = try #require(try await right.entries(for: key).first)
            #expect(abs(found.responseDate.timeIntervalSinceNow + 10) < 2)
            // A response that is older by the server's clock does not replace it.
            #expect(try await insert(1, Data("b".utf8), at: Date().addingTimeInterval(-60), into: right))
            #expect(try await body(1, in: right) == Data("a".utf8))
        }

        @Test(arguments: ValkeyServer.programs)
        func `a response that is older than a removal by another process is not stored`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let (first, second) = (try store(server), try store(server))
            let sent = Date()
            try await second.remove(CacheKey(url: try url(1).absoluteString))
            #expect(try await insert(1, Data("old".utf8), at: sent.addingTimeInterval(-0.5), into: first))
            #expect(try await body(1, in: first) == nil)
            // The interceptor knows the removals of its process, and may store the response to a POST request.
            try await first.remove(CacheKey(url: try url(1).absoluteString))
            #expect(try await insert(1, Data("new".utf8), at: sent, into: first))
            #expect(try await body(1, in: first) == Data("new".utf8))
        }

        @Test(arguments: ValkeyServer.programs)
        func `a key has at most four variants`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let store = try store(server)
            let key = CacheKey(url: try url(1).absoluteString)
            for number in 0..<6 {
                let selection = try JSONDecoder().decode(
                    VarySelection.self, from: Data(#"{"values":{"accept":"\#(number)"}}"#.utf8))
                let date = Date(timeIntervalSinceNow: Double(number) - 10)
                let entry = CacheEntry(
                    head: ResponseHead(status: 200, headers: ["ETag": "\"\(number)\""], url: try url(1)),
                    requestDate: date, responseDate: date, selection: selection)
                let writer = try #require(store.makeWriter(for: entry, key: key))
                _ = try await writer.write(Data(count: 1_000))
                try await writer.finish()
            }
            let tags = try await store.entries(for: key).compactMap { $0.head.headers["ETag"] }
            #expect(tags == ["\"5\"", "\"4\"", "\"3\"", "\"2\""])
            #expect(try await (4_000...8_000).contains(store.usage.bytes))
            try await store.remove(key)
            #expect(try await store.usage == CacheUsage())
        }

        private func name(_ number: Int) throws -> String {
            "errand:cache:test:" + CacheKey(url: try url(number).absoluteString).digest
        }

        @Test(arguments: ValkeyServer.programs)
        func `the lease of a killed process ends`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let (clock, key) = (InstantClock(), CacheKey(url: try url(1).absoluteString))
            let orphan = try await store(server).lease(of: key)
            // The time of the lease has passed.
            _ = try await server.client().send(RESPCommand("HSET", try name(1), "until", "1"))
            let lease = try await store(server, time: clock).lease(of: key)
            #expect(clock.waits.isEmpty)
            // The killed process cannot end the lease of the other one.
            await orphan.end(.notStorable)
            #expect(try await server.client().send(RESPCommand("HGET", try name(1), "owner")).string != nil)
            await lease.end(.stored)
            #expect(try await server.client().send(RESPCommand("HGET", try name(1), "owner")).string == nil)
        }

        @Test(
            arguments: ValkeyServer.programs, [(CacheLease.Outcome.failed, Int64(500_000)), (.notStorable, 10_000_000)])
        func `no process waits after a failure`(program: String, row: (CacheLease.Outcome, Int64))
            async throws
        {
            let server = try await ValkeyServer.start(program)
            let (clock, client, (outcome, pause)) = (InstantClock(), server.client(), row)
            let (store, key) = (try store(server, time: clock), CacheKey(url: try url(1).absoluteString))
            func now() async throws -> Int64 {
                let parts = try await client.send(RESPCommand("TIME")).array?.compactMap(\.integer) ?? []
                return try #require(parts.first) * 1_000_000 + (try #require(parts.last))
            }
            let lease = try await store.lease(of: key)
            let before = try await now()
            await lease.end(outcome)
            let end = try #require(try await client.send(RESPCommand("HGET", try name(1), "free")).integer)
            #expect((before + pause...(try await now()) + pause).contains(end))
            // A late machine must not see the end of the pause.
            _ = try await client.send(RESPCommand("HSET", try name(1), "free", "\(before + 60_000_000)"))
            for _ in 0..<2 { #expect(try await store.lease(of: key).hasNewEntries == false) }
            #expect(clock.waits.isEmpty)
        }

        @Test(arguments: ValkeyServer.programs)
        func `a response is stored one second after a removal by another process`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let (first, second) = (try store(server), try store(server))
            let before = Date()
            try await second.remove(CacheKey(url: try url(1).absoluteString))
            #expect(try await insert(1, Data("early".utf8), at: before.addingTimeInterval(0.5), into: first))
            #expect(try await body(1, in: first) == nil)
            _ = try await server.client().send(RESPCommand("HINCRBY", try name(1), "removed", "-60000000"))
            #expect(try await insert(1, Data("late".utf8), at: Date(timeIntervalSinceNow: -58), into: first))
            #expect(try await body(1, in: first) == Data("late".utf8))
        }

        @Test(arguments: ValkeyServer.programs)
        func `a server without free memory can be read`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let store = try store(server)
            #expect(try await insert(1, Data("a".utf8), into: store))
            _ = try await server.client().send(RESPCommand("CONFIG", "SET", "maxmemory", "1"))
            #expect(try await body(1, in: store) == Data("a".utf8))
        }
    }
#endif
