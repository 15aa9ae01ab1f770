import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// An authorizer with a store that other processes use, too.
@Suite(.timeLimit(.minutes(3))) struct SharedStoreTests {
    private let scene = AccountScene()

    @Test func `writes are exclusive and locked, and the last state remains`() async throws {
        let seed = UInt64.random(in: 0 ..< .max)
        for round in 0..<TestEnvironment.rounds(20, heavy: 500) {
            var random = SplitMix(state: seed &+ UInt64(round))
            let store = WatchedStore(.sample("start", life: 0), random)
            let account = scene.authorizer(store) { _ in .sample("renewed") }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    let choice = random.next() % 4
                    group.addTask {
                        switch choice {
                        case 0: _ = try? await account.signOut()
                        case 1: _ = try? await scene.access(account)
                        default: try? await account.signIn(.sample("\(number)"))
                        }
                    }
                }
            }
            let last = try? await scene.access(account)
            #expect(store.memory.load()?.access.reveal() == last, "seed \(seed), round \(round)")
            #expect(store.complaints.isEmpty, "seed \(seed), round \(round)")
        }
    }

    @Test func `a sign-in is stored after another process's refresh`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "token")
        let account = scene.authorizer(FileTokenStore(file, time: scene.clock)) { _ in .sample("b") }
        let signIn = Locked<Task<Void, any Error>?>(nil)
        try await FileTokenStore(file).exclusively {
            let task = Task { try await account.signIn(.sample("c")) }
            signIn.withLock { $0 = task }
            try await scene.clock.waitForSleepers()
            try FileTokenStore(file).save(.sample("other"))
            // The token is used before it is stored, because a call does not wait for other processes.
            #expect(try await scene.access(account) == "c")
            #expect(try FileTokenStore(file).load() == .sample("other"))
        }
        scene.clock.advance(by: .seconds(1))
        try await signIn.withLock { $0 }?.value
        #expect(try FileTokenStore(file).load() == .sample("c") && scene.events.all.isEmpty)
    }

    /// A process that is being started has such a copy until it executes its own program.
    @Test func `the lock is released even if its descriptor was copied`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "token")
        let copy = Locked<Int32>(-1)
        try await FileTokenStore(file).exclusively { copy.withLock { $0 = Self.copy(of: file.path + ".lock") } }
        let kept = copy.withLock { $0 }
        #expect(kept >= 0)
        try await FileTokenStore(file, time: scene.clock).exclusively {}
        close(kept)
    }

    /// Copies this process's descriptor of a file. Returns a negative value if the file is not open.
    private static func copy(of path: String) -> Int32 {
        var (wanted, facts) = (stat(), stat())
        guard stat(path, &wanted) == 0 else { return -1 }
        let found = (0..<1_024).first { number in
            fstat(number, &facts) == 0 && facts.st_ino == wanted.st_ino && facts.st_dev == wanted.st_dev
        }
        return found.map { dup($0) } ?? -1
    }

    /// A store that can be read but not written.
    private struct FullStore: TokenStore {
        let token: OAuthToken?
        func load() -> OAuthToken? { token }
        func save(_ token: OAuthToken?) throws { throw ServiceError(.file, "the disk is full") }
    }

    @Test func `an older stored token does not replace an unsaved sign-in`() async throws {
        for old in [OAuthToken.sample("old"), .sample("old", life: 0)] {
            let account = scene.authorizer(FullStore(token: old)) { last in
                .sample("after \(last?.access.reveal() ?? "nothing")")
            }
            await #expect(throws: ServiceError.self) { try await account.signIn(.sample("new", life: 0)) }
            #expect(try await scene.access(account) == "after new")
        }
    }

    @Test func `a sign-out returns the token that another process stored`() async throws {
        let store = MemoryTokenStore(.sample("a"))
        let account = scene.authorizer(store) { _ in .sample("b") }
        #expect(try await scene.access(account) == "a")
        store.save(.sample("other"))
        #expect(try await account.signOut() == .sample("other"))
        #expect(store.load() == nil)
    }

    @Test func `a failed lock does not keep a sign-in from the store`() async throws {
        for isBroken in [true, false] {
            let store = LocklessStore(isBroken: isBroken)
            let account = scene.authorizer(store) { _ in .sample("b") }
            try await account.signIn(.sample("c", life: 0))
            #expect(store.memory.load() == .sample("c", life: 0))
            #expect(try await scene.access(account) == "b", "a refresh does not need the lock either")
        }
        #expect(scene.events.all == ["store", "store"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        /// The token that another process stores while the first token is refused. `nil` removes the token.
        let other: OAuthToken?
        /// The refresh tokens that the server accepts.
        var good: Set<String> = []
        let access: String?
        let stored: String?
        let events: [String]
        var testDescription: String { "\(other?.access.reveal() ?? "nothing"), \(good)" }
    }

    @Test(arguments: [
        Row(other: .sample("a", life: 0), access: nil, stored: nil, events: ["ended"]),
        Row(other: .sample("c"), access: "c", stored: "c", events: []),
        Row(other: .sample("c", life: 0), good: ["r-c"], access: "new", stored: "new", events: []),
        Row(other: .sample("c", life: 0), access: nil, stored: nil, events: ["ended"]),
        Row(other: nil, access: nil, stored: nil, events: ["ended"]),
    ])
    func `a refused token is removed unless another process replaced it`(row: Row) async throws {
        let store = MemoryTokenStore(.sample("a", life: 0))
        let asked = Locked<[String]>([])
        let account = scene.authorizer(store) { last in
            let name = last?.refresh?.reveal() ?? "none"
            let isFirst = asked.withLock { asked in
                asked.append(name)
                return asked.count == 1
            }
            if isFirst { store.save(row.other) }
            guard row.good.contains(name) else { throw ServiceError.oauth(.invalidGrant) }
            return .sample("new")
        }
        let access = try? await scene.access(account)
        #expect(access == row.access && store.load()?.access.reveal() == row.stored)
        #expect(scene.events.all == row.events)
        #expect(Set(asked.withLock { $0 }).count == asked.withLock { $0 }.count, "no token is sent twice")
    }

    @Test func `a store that changes each time is read only three times`() async throws {
        let store = MemoryTokenStore(.sample("a", life: 0))
        let calls = Locked(0)
        let account = scene.authorizer(store) { _ in
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            if number < 100 { store.save(.sample("\(number)", life: 0)) }
            throw ServiceError.oauth(.invalidGrant)
        }
        await #expect(throws: ServiceError.self) { try await scene.access(account) }
        #expect(calls.withLock { $0 } == 3 && scene.events.all.isEmpty)
        #expect(store.load() == .sample("3", life: 0), "the server has not refused this token")
    }

    @Test func `a refresh before a sign-in does not send the new token`() async throws {
        let store = SlowStore(.sample("a", life: 0))
        let shown = Locked<[String?]>([])
        let account = scene.authorizer(store) { last in
            shown.withLock { $0.append(last?.access.reveal()) }
            return .sample("b")
        }
        let past = Task { try await scene.access(account) }
        await store.asked.wait()
        let signIn = Task { try await account.signIn(.sample("c", life: 0)) }
        // The waiter receives the new token, although it has expired. The next call starts a refresh.
        #expect(try await past.value == "c")
        let call = Task { try await scene.access(account) }
        store.gate.open()
        try await signIn.value
        #expect(try await call.value == "b")
        #expect(shown.withLock { $0 } == ["c"] && store.memory.load() == .sample("b"))
    }

    @Test func `a token that cannot be read is not removed`() async throws {
        let store = FadingStore()
        let account = scene.authorizer(store) { _ in throw ServiceError.oauth(.invalidGrant) }
        let error = await #expect(throws: ServiceError.self) { try await scene.access(account) }
        #expect(error?.oauthError?.code == .invalidGrant)
        #expect(scene.events.all == ["store", "ended"] && store.memory.load() == .sample("a", life: 0))
    }
}

/// A slow store that reports concurrent use and writes without its lock.
private final class WatchedStore: TokenStore {
    private struct State {
        var random: SplitMix
        var users = 0
        var isLocked = false
        var complaints: Set<String> = []
    }

    let memory: MemoryTokenStore
    private let state: Locked<State>
    var complaints: Set<String> { state.withLock { $0.complaints } }

    init(_ token: OAuthToken?, _ random: SplitMix) {
        memory = MemoryTokenStore(token)
        state = Locked(State(random: random))
    }

    func load() async -> OAuthToken? {
        await use { self.memory.load() }
    }

    func save(_ token: OAuthToken?) async {
        state.withLock { state in if !state.isLocked { state.complaints.insert("a write without the lock") } }
        await use { self.memory.save(token) }
    }

    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        while !state.withLock({ state in
            defer { state.isLocked = true }
            return !state.isLocked
        }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        defer { state.withLock { $0.isLocked = false } }
        try await refresh()
    }

    private func use<Value: Sendable>(_ work: @Sendable () -> Value) async -> Value {
        state.withLock { state in
            state.users += 1
            if state.users > 1 { state.complaints.insert("concurrent use") }
        }
        await yield()
        let value = work()
        await yield()
        state.withLock { $0.users -= 1 }
        return value
    }

    private func yield() async {
        for _ in 0..<state.withLock({ $0.random.next() % 20 }) { await Task.yield() }
    }
}

/// A store that is read when its gate opens.
private struct SlowStore: TokenStore {
    let memory: MemoryTokenStore
    let asked = Gate()
    let gate = Gate()

    init(_ token: OAuthToken) { memory = MemoryTokenStore(token) }

    func load() async -> OAuthToken? {
        asked.open()
        await gate.wait()
        return memory.load()
    }

    func save(_ token: OAuthToken?) { memory.save(token) }
}

/// A store with a lock that fails, or that does not run its closure.
private struct LocklessStore: TokenStore {
    let isBroken: Bool
    let memory = MemoryTokenStore()
    func load() -> OAuthToken? { memory.load() }
    func save(_ token: OAuthToken?) { memory.save(token) }
    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        if isBroken { throw ServiceError(.file, "no lock") }
    }
}

/// A store that can be read only once.
private final class FadingStore: TokenStore {
    let memory = MemoryTokenStore(.sample("a", life: 0))
    private let loads = Locked(0)

    func load() throws -> OAuthToken? {
        let count = loads.withLock { loads in
            loads += 1
            return loads
        }
        guard count == 1 else { throw ServiceError(.file, "gone") }
        return memory.load()
    }

    func save(_ token: OAuthToken?) { memory.save(token) }
}
