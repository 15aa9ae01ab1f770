import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TokenStoreTests {
    private static let token = OAuthToken(
        access: Secret("a"), refresh: Secret("r"), expiry: Date(timeIntervalSince1970: 1_000_000_000.5),
        scope: ["x", "y"])

    @Test func `the stores pass the contract`() async throws {
        let folder = try ScratchFolder()
        try await TokenStoreContract { FileTokenStore(folder.url.appending(path: $0)) }.verify()
        try await TokenStoreContract(isShared: false) { _ in MemoryTokenStore() }.verify()
    }

    /// Forgets each token, and locks nothing.
    private struct ForgetfulStore: TokenStore {
        func load() -> OAuthToken? { nil }
        func save(_ token: OAuthToken?) {}
    }

    @Test func `a store that forgets and locks nothing breaks five promises`() async throws {
        do {
            try await TokenStoreContract { _ in ForgetfulStore() }.verify()
            Issue.record("the contract found no problem")
        } catch {
            #expect(error.problems.count == 5)
        }
    }

    @Test func `a saved token is loaded unchanged`() async throws {
        let folder = try ScratchFolder()
        let stores: [any TokenStore] = [MemoryTokenStore(), FileTokenStore(folder.url.appending(path: "token"))]
        for store in stores {
            #expect(try await store.load() == nil)
            for token in [Self.token, OAuthToken(access: Secret("b"))] {
                try await store.save(token)
                #expect(try await store.load() == token)
            }
            try await store.save(nil)
            #expect(try await store.load() == nil)
            try await store.save(nil)
        }
    }

    @Test func `the token file is private, and no other file remains`() async throws {
        let folder = try ScratchFolder()
        let store = FileTokenStore(folder.url.appending(path: "token"))
        try store.save(Self.token)
        try store.save(OAuthToken(access: Secret("b")))
        try await store.exclusively {}
        #expect(try folder.mode(of: "token") == 0o600 && folder.mode(of: "token.lock") == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["token", "token.lock"])
    }

    @Test(arguments: ["", "{", "[]", #"{"access_token":""}"#, #"{"access_token":7}"#, #"{"refresh_token":"hush"}"#])
    func `an invalid token file is an error without its content`(text: String) throws {
        let folder = try ScratchFolder()
        let store = FileTokenStore(try folder.file(Data(text.utf8), name: "token"))
        let error = #expect(throws: ServiceError.self) { try store.load() }
        #expect(error?.code == .file && !"\(String(describing: error))".contains("hush"))
    }

    @Test func `a failed save is an error and leaves no file`() throws {
        let folder = try ScratchFolder()
        let missing = FileTokenStore(folder.url.appending(path: "none/token"))
        #expect(throws: ServiceError.self) { try missing.save(Self.token) }
        try FileManager.default.createDirectory(at: folder.url.appending(path: "d"), withIntermediateDirectories: true)
        let inTheWay = FileTokenStore(folder.url.appending(path: "d"))
        #expect(throws: ServiceError.self) { try inTheWay.save(Self.token) }
        #expect(throws: ServiceError.self) { try inTheWay.load() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["d"])
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url.appending(path: "d"))
        #expect(throws: ServiceError.self) { try FileTokenStore(link).load() }
    }

    @Test func `refreshes that share a file run one at a time`() async throws {
        let folder = try ScratchFolder()
        let crowd = Crowd()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let store = FileTokenStore(folder.url.appending(path: "token"))
                group.addTask {
                    try await store.exclusively {
                        crowd.move(1)
                        for _ in 0..<20 { await Task.yield() }
                        crowd.move(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(crowd.most == 1)
    }

    /// The current and maximum numbers of concurrent users.
    private final class Crowd: Sendable {
        private let state = Locked((now: 0, most: 0))
        var most: Int { state.withLock { $0.most } }

        func move(_ step: Int) {
            state.withLock { state in
                state.now += step
                state.most = max(state.most, state.now)
            }
        }
    }

    @Test func `a wait for a lock ends after a minute or when cancelled`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "token")
        try await FileTokenStore(file).exclusively { try await Self.waitInVain(for: file) }
    }

    private static func waitInVain(for file: URL) async throws {
        let instant = InstantClock()
        let error = await #expect(throws: ServiceError.self) {
            try await FileTokenStore(file, time: instant).exclusively {}
        }
        #expect(error?.code == .file)
        #expect(instant.now == FileTokenStore.maximumWait)
        let first: [Duration] = [5, 10, 20, 40, 80, 160, 160].map { .milliseconds($0) }
        #expect(Array(instant.waits.prefix(first.count)) == first)
        #expect(instant.waits.count < 400)
        let clock = ManualClock()
        let waiting = Task { try await FileTokenStore(file, time: clock).exclusively {} }
        try await clock.waitForSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    /// The program from util-linux.
    private static let flock = Executable(file: URL(filePath: "/usr/bin/flock"))

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock"), "/usr/bin/flock not found"))
    func `many tasks wait for another process's lock without blocking threads`() async throws {
        let folder = try ScratchFolder()
        let isThere: @Sendable (String) -> Bool = { name in
            FileManager.default.fileExists(atPath: folder.url.appending(path: name).path)
        }
        let hold = try folder.file(Data(), name: "hold")
        // The script releases the lock when the file or its folder is removed, and after a minute at the latest.
        let script =
            "cd '\(folder.url.path)' && touch held && seq 3000 | while [ -e hold ] && read n; do sleep 0.02; done"
        let lock = folder.url.appending(path: "token.lock").path
        let other = Task { try await Self.flock.run([lock, "sh", "-c", script]).status }
        try await Soak.wait { isThere("held") }
        let entered = Crowd()
        let store = FileTokenStore(folder.url.appending(path: "token"))
        let waiting = (0..<16).map { _ in
            Task {
                try await store.exclusively {
                    #expect(!isThere("hold"))
                    entered.move(1)
                }
            }
        }
        // There are more waiting tasks than threads. This test must continue.
        await Soak.wait(.milliseconds(50))
        #expect(entered.most == 0)
        waiting.first?.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.first?.value }
        try FileManager.default.removeItem(at: hold)
        for task in waiting.dropFirst() { try await task.value }
        #expect(try await other.value == 0)
        #expect(entered.most == 15)
    }

    @Test func `a token description shows no secret`() throws {
        var text = "\(Self.token) \(String(reflecting: Self.token))"
        dump(Self.token, to: &text)
        #expect(!text.contains("\"a\"") && !text.contains("x, y"))
    }
}
