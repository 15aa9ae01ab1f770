import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct OAuthAuthorizerTests {
    private let clock = ManualClock()
    private let events = EventLog()

    private static func token(_ name: String, life: Double? = nil) -> OAuthToken {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        return OAuthToken(access: Secret(name), refresh: Secret("r-\(name)"), expiry: life.map { date + $0 })
    }

    private func authorizer(
        _ store: any TokenStore, settings: OAuthAuthorizer.Settings = .init(),
        renew: @escaping @Sendable (OAuthToken?) async throws -> OAuthToken
    ) -> OAuthAuthorizer {
        OAuthAuthorizer(
            store: store, identity: nil, settings: settings, time: clock, onEvent: { [events] in events.add($0) },
            renew: renew)
    }

    private func request(_ configure: (inout RequestOptions) -> Void = { _ in }) throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: "https://api.test/"))), body: .none)
        configure(&request.options)
        return request
    }

    @Test func `a fresh token of the store is used, and nobody is asked`() async throws {
        let account = authorizer(MemoryTokenStore(Self.token("a", life: 60))) { _ in
            throw ServiceError(.transport, "no")
        }
        let request = try request { [clock] in $0.trail = Trail.Recorder(on: clock) }
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("a"), generation: 1)))
        #expect(try await account.credentials(for: request).note == "the token is fresh for 60 s")
    }

    @Test func `a cancelled caller leaves at once, and the refresh goes on and is stored`() async throws {
        let store = MemoryTokenStore(Self.token("a", life: 0))
        let (asked, gate) = (Gate(), Gate())
        let account = authorizer(store) { last in
            #expect(last == Self.token("a", life: 0) && !Task.isCancelled)
            asked.open()
            await gate.wait()
            #expect(!Task.isCancelled)
            return Self.token("b")
        }
        let request = try request()
        let first = Task { try await account.credentials(for: request) }
        await asked.wait()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        try await Soak.wait { store.load() == Self.token("b") }
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("b"), generation: 1)))
    }

    @Test func `a caller that is cancelled already starts nothing`() async throws {
        let account = authorizer(MemoryTokenStore(Self.token("a", life: 0))) { _ in
            Issue.record("nobody is to be asked")
            return Self.token("b")
        }
        let request = try request()
        let call = Task {
            await waitUntilCancelled()
            return try await account.credentials(for: request)
        }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `a call's own deadline ends its wait, not the refresh`() async throws {
        let gate = Gate()
        let store = MemoryTokenStore(Self.token("a", life: 0))
        let account = authorizer(store) { _ in
            await gate.wait()
            return Self.token("b")
        }
        let request = try request { [clock] in $0.deadline = .after(.seconds(2), on: clock) }
        let call = Task { try await account.credentials(for: request) }
        try await clock.advance(by: .seconds(2), sleeping: 2)
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout)
        gate.open()
        try await Soak.wait { store.load() == Self.token("b") }
    }

    @Test func `a refresh that stalls fails at its deadline, and the next call tries again after a pause`() async throws
    {
        let calls = Locked(0)
        let account = authorizer(MemoryTokenStore(Self.token("a", life: 0))) { _ in
            let isFirst = calls.withLock { calls in
                calls += 1
                return calls == 1
            }
            if isFirst {
                await waitUntilCancelled()
                throw CancellationError()
            }
            return Self.token("b")
        }
        let request = try request()
        let call = Task { try await account.credentials(for: request) }
        try await clock.advance(by: .seconds(30), sleeping: 1)
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout && error?.reason == "the refresh took longer than 30000.0 ms")
        await #expect(throws: ServiceError.self) { try await account.credentials(for: request) }
        #expect(calls.withLock { $0 } == 1)
        clock.advance(by: .seconds(1))
        _ = try await account.credentials(for: request)
        #expect(calls.withLock { $0 } == 2 && events.all.isEmpty)
    }

    @Test func `a refused grant ends the session once, and a sign-in begins another`() async throws {
        let store = MemoryTokenStore(Self.token("a", life: 0))
        let account = authorizer(store) { _ in throw ServiceError.oauth(.invalidGrant) }
        let request = try request()
        for _ in 1...3 {
            let error = await #expect(throws: ServiceError.self) { try await account.credentials(for: request) }
            #expect(error?.oauthError?.code == .invalidGrant)
        }
        #expect(events.all == ["ended"] && store.load() == nil)
        try await account.signIn(Self.token("c"))
        #expect(store.load() == Self.token("c"))
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("c"), generation: 1)))
        #expect(try await account.signOut() == Self.token("c") && store.load() == nil)
        let error = await #expect(throws: ServiceError.self) { try await account.credentials(for: request) }
        #expect(error?.reason == "nobody is signed in" && events.all == ["ended"])
    }

    @Test func `without a token nobody is signed in, and no session has ended`() async throws {
        let client = OAuthClient(
            id: "a", tokenEndpoint: try #require(URL(string: "https://login.test/")), session: ScriptedSession([]),
            time: clock)
        let account = OAuthAuthorizer(client) { [events] in events.add($0) }
        let error = await #expect(throws: ServiceError.self) { try await account.credentials(for: request()) }
        #expect(error?.code == .authorization && events.all.isEmpty)
    }

    @Test func `a store that can't be written is told of, and the token is used`() async throws {
        let account = authorizer(BrokenStore(token: Self.token("a", life: 0))) { _ in Self.token("b") }
        #expect(try await account.credentials(for: request()).isSame(as: .bearer(Secret("b"), generation: 1)))
        #expect(events.all == ["store"])
    }

    @Test func `a token that another process got is taken, and one that it removed is missed`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "token")
        try FileTokenStore(file).save(Self.token("a"))
        let account = authorizer(FileTokenStore(file)) { _ in throw ServiceError(.transport, "nobody is to be asked") }
        let request = try request()
        let first = try await account.credentials(for: request)
        try FileTokenStore(file).save(Self.token("b"))
        let refusal = Refusal(ResponseHead(status: 401, url: try #require(request.url)), of: request)
        guard case .replay(let second) = try await account.react(to: refusal, of: first) else {
            Issue.record("it gave up")
            return
        }
        #expect(second.isSame(as: .bearer(Secret("b"), generation: 2)))
        try FileTokenStore(file).save(nil)
        await #expect(throws: ServiceError.self) { try await account.react(to: refusal, of: second) }
        #expect(events.all == ["ended"])
    }

    @Test func `a token is renewed early while it is used`() async throws {
        let store = MemoryTokenStore(Self.token("a", life: 60))
        let account = authorizer(store) { _ in Self.token("b") }
        let request = try request()
        _ = try await account.credentials(for: request)
        clock.advance(by: .seconds(31))
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("a"), generation: 1)))
        try await Soak.wait { store.load() == Self.token("b") }
    }

    @Test func `a call that is cancelled while its refusal is looked into leaves, and the others get the token`()
        async throws
    {
        let (asked, gate) = (Gate(), Gate())
        let account = authorizer(MemoryTokenStore(Self.token("a"))) { _ in
            asked.open()
            await gate.wait()
            return Self.token("b")
        }
        let request = try request()
        let first = try await account.credentials(for: request)
        let refusal = Refusal(ResponseHead(status: 401, url: try #require(request.url)), of: request)
        let gone = Task { try await account.react(to: refusal, of: first) }
        await asked.wait()
        let other = Task { try await account.credentials(for: request) }
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        gate.open()
        #expect(try await other.value.isSame(as: .bearer(Secret("b"), generation: 2)))
    }

    @Test func `a token is stored though its sign-in is cancelled`() async throws {
        let store = SlowStore()
        let account = authorizer(store) { _ in throw ServiceError(.transport, "no") }
        let call = Task { try await account.signIn(Self.token("a")) }
        await store.asked.wait()
        call.cancel()
        store.gate.open()
        try await call.value
        #expect(store.memory.load() == Self.token("a"))
    }

    /// Waits before it writes, and does not write where it is cancelled.
    private struct SlowStore: TokenStore {
        let memory = MemoryTokenStore()
        let asked = Gate()
        let gate = Gate()
        func load() -> OAuthToken? { memory.load() }
        func save(_ token: OAuthToken?) async throws {
            asked.open()
            await gate.wait()
            try Task.checkCancellation()
            memory.save(token)
        }
    }

    /// Reads, and can't write.
    private struct BrokenStore: TokenStore {
        let token: OAuthToken
        func load() -> OAuthToken? { token }
        func save(_ token: OAuthToken?) throws { throw ServiceError(.file, "full") }
    }
}

/// What an authorizer has told.
final class EventLog: Sendable {
    private let names = Locked<[String]>([])
    var all: [String] { names.withLock { $0 } }

    func add(_ event: OAuthAuthorizer.Event) {
        let name =
            switch event {
            case .sessionEnded: "ended"
            case .storeFailed: "store"
            }
        names.withLock { $0.append(name) }
    }
}
