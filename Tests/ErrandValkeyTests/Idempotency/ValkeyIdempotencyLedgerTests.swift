#if os(Linux)
    import Errand
    import ErrandTesting
    import ErrandValkey
    import Foundation
    import TestSupport
    import Testing

    /// The record of idempotency keys on each server program.
    @Suite(.timeLimit(.minutes(2)), .needsValkey, .serialized) struct ValkeyIdempotencyLedgerTests {
        private static let key = Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")

        private func ledger(_ server: ValkeyServer, _ lifetime: Duration = .seconds(60)) throws
            -> ValkeyIdempotencyLedger
        {
            ValkeyIdempotencyLedger(server.client(), seal: try ValueSeal(key: Self.key), lifetime: lifetime)
        }

        private func record() throws -> IdempotencyRecord {
            let url = try #require(URL(string: "https://api.example/s3cret"))
            return IdempotencyRecord(
                head: ResponseHead(status: 201, url: url), body: Data("s3cret".utf8), date: Date())
        }

        @Test(arguments: ValkeyServer.programs, [false, true])
        func `the ledger passes the contract`(program: String, isSecured: Bool) async throws {
            let server = try await ValkeyServer.start(program, isSecured: isSecured)
            try await IdempotencyLedgerContract { try ledger(server) }.verify()
        }

        @Test(arguments: ValkeyServer.programs)
        func `a response is sealed, and is known for the lifetime`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let ledger = try ledger(server, .seconds(60))
            _ = try await ledger.begin("k", request: "r", owner: "a", lease: .seconds(60))
            try await ledger.finish("k", owner: "a", with: try record())
            let client = server.client()
            let fields = try await client.send(RESPCommand("HGETALL", "errand:idempotency:k")).array ?? []
            let texts = fields.compactMap(\.bytes).map { String(decoding: $0, as: UTF8.self) }
            #expect(texts.count == 4 && !texts.contains { $0.contains("s3cret") })
            let left = try await client.send(RESPCommand("PTTL", "errand:idempotency:k")).integer ?? 0
            #expect((50_000...60_000).contains(left))
            let other = ValkeyIdempotencyLedger(
                client, seal: try ValueSeal(key: Secret(Self.key.reveal().replacing("AAEC", with: "AAED"))))
            let error = await #expect(throws: ServiceError.self) {
                try await other.begin("k", request: "r", owner: "b", lease: .seconds(60))
            }
            #expect(error?.code == .file)
        }
    }
#endif
