#if os(Linux)
    import Errand
    import ErrandSupport
    import ErrandTesting
    import ErrandValkey
    import Foundation
    import TestSupport
    import Testing

    /// The token store on each server program.
    @Suite(.timeLimit(.minutes(2)), .needsValkey, .serialized) struct ValkeyTokenStoreTests {
        private static let key = Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")

        private func store(_ server: ValkeyServer, _ account: String = "reports") throws -> ValkeyTokenStore {
            ValkeyTokenStore(server.client(), account: account, seal: try ValueSeal(key: Self.key))
        }

        private func token(_ access: String) -> OAuthToken {
            OAuthToken(access: Secret(access), refresh: Secret("refresh-\(access)"))
        }

        @Test(arguments: ValkeyServer.programs, [false, true])
        func `the store passes the contract`(program: String, isSecured: Bool) async throws {
            let server = try await ValkeyServer.start(program, isSecured: isSecured)
            try await TokenStoreContract { try store(server, $0) }.verify()
        }

        @Test(arguments: ValkeyServer.programs)
        func `the server has neither the token nor the account in readable form`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            try await store(server).save(token("s3cret"))
            let names = try await server.client().send(RESPCommand("KEYS", "*")).array?.compactMap(\.string) ?? []
            #expect(names.count == 1 && !names[0].contains("reports"))
            let fields = try await server.client().send(RESPCommand("HGETALL", names[0]))
            #expect(!"\(fields)".contains("s3cret"))
            let other = ValkeyTokenStore(
                server.client(), account: "reports",
                seal: try ValueSeal(key: Secret(Self.key.reveal().replacing("AAEC", with: "AAED"))))
            let error = await #expect(throws: ServiceError.self) { try await other.load() }
            #expect(error?.code == .file)
        }

        @Test(arguments: ValkeyServer.programs)
        func `a holder that was stopped cannot replace the token of a later one`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let (first, second) = (try store(server), try store(server))
            let error = await #expect(throws: ServiceError.self) {
                try await first.exclusively {
                    // The lease of the first one ends, as if its process had been stopped.
                    let name = try #require(
                        try await server.client().send(RESPCommand("KEYS", "*")).array?.first?.string)
                    _ = try await server.client().send(RESPCommand("HDEL", name, "owner", "until"))
                    try await second.exclusively { try await second.save(token("new")) }
                    try await first.save(token("late"))
                }
            }
            #expect(error?.code == .file)
            #expect(try await first.load() == token("new"))
        }

        @Test(arguments: ValkeyServer.programs)
        func `a token that the server has lost is an error, and one that was removed is not`(program: String)
            async throws
        {
            let server = try await ValkeyServer.start(program)
            let (first, second) = (try store(server), try store(server))
            try await first.save(token("a"))
            #expect(try await second.load() == token("a"))
            try await first.save(nil)
            #expect(try await second.load() == nil)
            try await first.save(token("b"))
            _ = try await server.client().send(RESPCommand("FLUSHALL"))
            let error = await #expect(throws: ServiceError.self) { try await first.load() }
            #expect(error?.code == .authorization)
            #expect(try await store(server).load() == nil)
        }

        @Test func `the identity of an account is the same in all processes`() throws {
            let names = [("reports", "a:"), ("reports", "a:"), ("other", "a:"), ("reports", "b:")]
            let identities = try names.map { account, prefix in
                let seal = try ValueSeal(key: Self.key)
                return ValkeyTokenStore(FakeServer().client(), account: account, seal: seal, prefix: prefix).identity
            }
            #expect(identities[0] == identities[1] && identities[0] != nil)
            #expect(Set(identities).count == 3)
        }

        @Test func `a rotated token is stored although the server refuses commands at first`() async throws {
            let refusals = Locked(2)
            let stored = Locked<[String]>([])
            let names = [TokenScript.lock, TokenScript.save].map { SHA1.hash(Data($0.utf8)).hexadecimal }
            let server = FakeServer { command in
                switch command.dropFirst().first {
                case names[0]: return "*2\r\n:1\r\n$1\r\n7\r\n"
                case names[1]:
                    let isRefused = refusals.withLock { count in
                        count -= 1
                        return count >= 0
                    }
                    if isRefused { return "-LOADING the data set is being read\r\n" }
                    stored.withLock { $0.append(command[4]) }
                    return ":1\r\n"
                default: return ":1\r\n"
                }
            }
            let store = ValkeyTokenStore(server.client(), account: "reports", seal: try ValueSeal(key: Self.key))
            try await store.exclusively { try await store.save(token("new")) }
            #expect(stored.withLock { $0 } == ["7"])
            // Without a refresh, the token is not lost, so the error is immediate.
            refusals.withLock { $0 = 1 }
            let error = await #expect(throws: ServiceError.self) { try await store.save(token("other")) }
            #expect(error?.code == .badResponse)
        }
    }
#endif
