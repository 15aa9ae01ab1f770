import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LimitStoreTests {
    private let demand = LimitDemand(.init(1), maximumWait: .seconds(60))

    @Test func `the stores pass the contract`() async throws {
        try await LimitStoreContract { MemoryLimitStore(time: InstantClock()) }.verify()
        let folder = try ScratchFolder()
        try await LimitStoreContract(tolerance: .seconds(60)) { FolderLimitStore(folder.url) }.verify()
    }

    /// Forgets everything.
    private struct ForgetfulStore: LimitStore {
        func take(_ key: String, _ demand: LimitDemand) -> LimitDecision { .granted(LimitGrant(wait: .zero)) }
        func update(_ grant: LimitGrant, of key: String) -> LimitGrant { LimitGrant(wait: .zero) }
        func observe(_ key: String, _ observation: LimitObservation) {}
    }

    @Test func `a store that forgets breaks all promises but one`() async throws {
        let error = await #expect(throws: VerificationError.self) {
            try await LimitStoreContract { ForgetfulStore() }.verify()
        }
        #expect(error?.problems.count == LimitStoreContract.promises.count - 1)
    }

    @Test func `two stores of one folder share a limit`() async throws {
        let folder = try ScratchFolder()
        let path = folder.url.appending(path: "limits")
        let clock = InstantClock()
        _ = try await FolderLimitStore(path, time: clock).take("a", demand)
        #expect(try await FolderLimitStore(path, time: clock).take("a", demand).wait == .seconds(1))
        #expect(try folder.mode(of: "limits") == 0o700)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: path.path).first)
        #expect(try folder.mode(of: "limits/\(name)") == 0o600 && !name.contains("a.limit"))
    }

    @Test(arguments: ["", "garbage", "limit1 1 2 3", "limit1 9 9 9 9 9 9 9 9 9 99999999999999999999\n"])
    func `a damaged file counts as a new limit`(text: String) async throws {
        let folder = try ScratchFolder()
        let store = FolderLimitStore(folder.url)
        _ = try await store.take("a", demand)
        let name = try #require(try folder.names().first)
        try Data(text.utf8).write(to: folder.url.appending(path: name))
        #expect(try await store.take("a", demand).wait == .zero)
    }

    @Test func `waiting for a locked file fails after one second`() async throws {
        let (folder, clock) = (try ScratchFolder(), InstantClock())
        let store = FolderLimitStore(folder.url, time: clock)
        _ = try await store.take("a", demand)
        let file = folder.url.appending(path: try #require(try folder.names().first))
        let handle = try FileHandle(forUpdating: file)
        #expect(flock(handle.fileDescriptor, LOCK_EX) == 0)
        let error = await #expect(throws: ServiceError.self) { try await store.take("a", demand) }
        #expect(error?.code == .file && clock.now == FolderLimitStore.maximumWait)
    }

    @Test func `cancelling a task that waits for a file does not end the others`() async throws {
        let (folder, clock) = (try ScratchFolder(), ManualClock())
        let store = FolderLimitStore(folder.url, time: clock)
        _ = try await store.take("a", demand)
        let file = folder.url.appending(path: try #require(try folder.names().first))
        let handle = try FileHandle(forUpdating: file)
        #expect(flock(handle.fileDescriptor, LOCK_EX) == 0)
        let tasks = (0..<3).map { number in
            Task {
                if number == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                return try await store.take("a", demand)
            }
        }
        tasks[1].cancel()
        for task in tasks.prefix(2) { await #expect(throws: CancellationError.self) { try await task.value } }
        try await clock.waitForSleepers()
        #expect(flock(handle.fileDescriptor, LOCK_UN) == 0)
        try await clock.advance(by: .milliseconds(1), sleeping: 1)
        #expect(try await tasks[2].value.grant != nil)
    }

    @Test func `the memory store keeps 1,000 limits, and those in use`() {
        let clock = InstantClock()
        let store = MemoryLimitStore(time: clock)
        for number in 0..<1_000 { _ = store.take("idle \(number)", demand) }
        clock.advance(by: .seconds(10))
        _ = store.take("busy", demand)
        for number in 0..<999 { _ = store.take("new \(number)", demand) }
        #expect(store.keys.count == 1_000 && store.keys.contains("busy"))
        #expect(store.keys.allSatisfy { !$0.hasPrefix("idle") })
    }
}
