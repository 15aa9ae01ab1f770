#if os(Linux)
    import Errand
    import ErrandTesting
    import ErrandValkey
    import Foundation
    import TestSupport
    import Testing

    /// The limit store on each server program.
    @Suite(.timeLimit(.minutes(2)), .needsValkey, .serialized) struct ValkeyLimitStoreTests {
        @Test(arguments: ValkeyServer.programs, [false, true])
        func `the store passes the contract`(program: String, isSecured: Bool) async throws {
            let server = try await ValkeyServer.start(program, isSecured: isSecured)
            try await LimitStoreContract(tolerance: .seconds(20)) { ValkeyLimitStore(server.client()) }.verify()
        }

        @Test(arguments: ValkeyServer.programs)
        func `a wrong password and a wrong certificate are errors`(program: String) async throws {
            let server = try await ValkeyServer.start(program, isSecured: true)
            let demand = LimitDemand(.init(1), maximumWait: .zero)
            let password = ValkeyLimitStore(server.client { $0.password = Secret("wrong") })
            let error = await #expect(throws: ServiceError.self) { try await password.take("a", demand) }
            #expect(error?.code == .authorization && error.map { "\($0)".contains("wrong") } == false)
            let stranger = ValkeyLimitStore(
                server.client { $0.tls?.authorities = server.certificates?.url.appending(path: "stranger.pem") })
            #expect(
                await #expect(throws: ServiceError.self) { try await stranger.take("a", demand) }?.code == .certificate)
            let anonymous = ValkeyLimitStore(server.client { $0.tls?.certificate = nil })
            let refusal = await #expect(throws: ServiceError.self) { try await anonymous.take("a", demand) }
            // The server closes the connection after its alert, which can be lost with unread bytes.
            #expect(refusal?.code == .tls || refusal?.code == .connectionLost)
            let other = ValkeyLimitStore(server.client(), prefix: "other:")
            #expect(
                await #expect(throws: ServiceError.self) { try await other.take("a", demand) }?.code == .authorization)
        }

        @Test func `a long name is an error`() async throws {
            let store = ValkeyLimitStore(ValkeyClient(.init(host: "127.0.0.1", port: 1)))
            let name = String(repeating: "x", count: LimitDemand.keyLimit + 1)
            let error = await #expect(throws: ServiceError.self) {
                try await store.take(name, LimitDemand(.init(1), maximumWait: .zero))
            }
            #expect(error?.code == .configuration)
        }

        /// Compares the scripts with `LimitState` on random calls at random times of the server's clock.
        @Test(arguments: ValkeyServer.programs)
        func `the scripts have the results of the core`(program: String) async throws {
            let server = try await ValkeyServer.start(program)
            let client = server.client()
            for seed in 0..<UInt64(TestEnvironment.rounds(8, heavy: 60)) {
                var run = Run(seed: seed, client)
                for _ in 0..<100 { try await run.step() }
            }
        }

        private struct Run {
            private static let edges = [0, 1, 999, 1_000_000, 86_399_999_999, 86_400_000_000]
            private let client: ValkeyClient
            private let key: String
            private var random: SplitMix
            private var now: Int64 = 1_700_000_000_000_000
            private var state: LimitState?
            private var grants: [LimitGrant] = []

            init(seed: UInt64, _ client: ValkeyClient) {
                (self.client, key, random) = (client, "test:\(seed)", SplitMix(state: seed))
            }

            private mutating func duration() -> Duration {
                let value = Bool.random(using: &random) ? Self.edges.randomElement(using: &random) : nil
                return .microseconds(value ?? Int.random(in: 0...5_000_000, using: &random))
            }

            /// Runs a script at the time `now`.
            private func run(_ script: String, _ arguments: [String]) async throws -> [RESPValue] {
                let text = script.replacing("redis.call('TIME')", with: "{\(now / 1_000_000), \(now % 1_000_000)}")
                let reply = try await client.send(
                    RESPCommand((["EVAL", text, "1", key] + arguments).map { Data($0.utf8) }))
                return try #require(reply.array)
            }

            mutating func step() async throws {
                now += Int64.random(in: -200_000...3_000_000, using: &random)
                var state = self.state ?? LimitState(at: now)
                state.follow(now)
                // The scripts store a clock that went back in any case.
                let moves = self.state.map { $0.changedAt > now } ?? false
                let followed = state
                let isSaved =
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: try await observe(&state)
                    case 1: try await update(state)
                    default: try await take(&state)
                    }
                if isSaved { self.state = state } else if moves { self.state = followed }
                let stored = try await client.send(RESPCommand("GET", key)).bytes
                #expect(stored == self.state?.storedForm)
            }

            /// Returns whether the script stores the state.
            private mutating func take(_ state: inout LimitState) async throws -> Bool {
                let rate = RateLimitInterceptor.Policy.Rate(
                    Int.random(in: 1...50, using: &random), per: duration(),
                    burst: Int.random(in: 1...20, using: &random))
                let demand = LimitDemand(rate, cost: Int.random(in: 0...5, using: &random), maximumWait: duration())
                let (step, burst) = rate.microseconds
                let maximum = demand.maximumWait.limitedMicroseconds
                let parts = try await run(LimitScript.take, [step, burst, demand.requests, maximum].map { "\($0)" })
                switch state.take(demand, at: now) {
                case .granted(let grant):
                    #expect(parts.map(\.string) == ["1", "\(grant.wait.wholeMicroseconds)", "0", grant.mark])
                    grants.append(grant)
                    return true
                case .refused(let refusal):
                    let isFromServer = refusal.isFromServer ? "1" : "0"
                    #expect(parts.map(\.string) == ["0", "\(refusal.wait.wholeMicroseconds)", isFromServer, ""])
                    return false
                }
            }

            private mutating func update(_ state: LimitState) async throws -> Bool {
                let grant = grants.randomElement(using: &random) ?? LimitGrant(wait: .zero, mark: "x")
                let updated = state.update(grant)
                let parts = try await run(LimitScript.update, [grant.mark])
                #expect(parts.map(\.string) == ["\(updated.wait.wholeMicroseconds)", updated.mark])
                return false
            }

            private mutating func observe(_ state: inout LimitState) async throws -> Bool {
                var observation = LimitObservation()
                if Bool.random(using: &random) { observation.pause = duration() }
                if Bool.random(using: &random) {
                    observation.quota = .init(remaining: Int.random(in: -1...5, using: &random), reset: duration())
                }
                let pause = observation.pause?.limitedMicroseconds ?? -1
                let remaining = observation.quota.map { LimitState.remaining(of: $0) } ?? -1
                let reset = observation.quota?.reset.limitedMicroseconds ?? 0
                _ = try await run(LimitScript.observe, ["\(pause)", "\(remaining)", "\(reset)"])
                state.observe(observation, at: now)
                return true
            }
        }
    }
#endif
