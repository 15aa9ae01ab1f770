import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct IdempotencyLedgerTests {
    private func record(_ body: String = "1") throws -> IdempotencyRecord {
        let url = try #require(URL(string: "https://api.example/orders?token=s3cret"))
        return IdempotencyRecord(head: ResponseHead(status: 201, url: url), body: Data(body.utf8), date: Date())
    }

    @Test func `the ledgers pass the contract`() async throws {
        let folder = try ScratchFolder()
        try await IdempotencyLedgerContract { MemoryIdempotencyLedger() }.verify()
        try await IdempotencyLedgerContract { FolderIdempotencyLedger(folder.url.appending(path: "keys")) }.verify()
    }

    /// Reserves each key for everyone, and forgets responses.
    private struct ForgetfulLedger: IdempotencyLedger {
        func begin(_ key: String, request: String, owner: String, lease: Duration) -> IdempotencyDecision { .reserved }
        func finish(_ key: String, owner: String, with response: IdempotencyRecord) {}
        func abandon(_ key: String, owner: String) {}
    }

    @Test func `a ledger that forgets everything breaks each promise`() async throws {
        do {
            try await IdempotencyLedgerContract { ForgetfulLedger() }.verify()
            Issue.record("the contract found no problem")
        } catch {
            #expect(error.problems.count == IdempotencyLedgerContract.promises.count)
        }
    }

    @Test(arguments: [true, false]) func `a response is known for the lifetime`(isFolder: Bool) async throws {
        let (clock, folder) = (ManualClock(), try ScratchFolder())
        let url = folder.url.appending(path: "keys")
        let ledger: any IdempotencyLedger =
            isFolder
            ? FolderIdempotencyLedger(url, lifetime: .seconds(100), time: clock)
            : MemoryIdempotencyLedger(lifetime: .seconds(100), time: clock)
        _ = try await ledger.begin("k", request: "r", owner: "a", lease: .seconds(1))
        try await ledger.finish("k", owner: "a", with: try record())
        clock.advance(by: .seconds(99))
        #expect(try await ledger.begin("k", request: "r", owner: "b", lease: .seconds(1)).name == "recorded")
        clock.advance(by: .seconds(2))
        #expect(try await ledger.begin("k", request: "other", owner: "b", lease: .seconds(1)).name == "reserved")
    }

    @Test func `the memory forgets the least recently used key`() async throws {
        let ledger = MemoryIdempotencyLedger(capacity: 2)
        for key in ["a", "b", "c"] { _ = ledger.begin(key, request: "r", owner: "1", lease: .seconds(60)) }
        #expect(ledger.begin("a", request: "r", owner: "2", lease: .seconds(60)).name == "reserved")
        #expect(ledger.begin("c", request: "r", owner: "2", lease: .seconds(60)).name == "busy")
    }

    @Test func `only the current user has access to the files`() async throws {
        let folder = try ScratchFolder()
        let ledger = FolderIdempotencyLedger(folder.url.appending(path: "keys"))
        _ = try await ledger.begin("s3cret", request: "r", owner: "a", lease: .seconds(60))
        try await ledger.finish("s3cret", owner: "a", with: try record())
        #expect(try folder.mode(of: "keys") == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "keys").path)
        #expect(names.count == 2 && !names.contains { $0.contains("s3cret") })
        for name in names { #expect(try folder.mode(of: "keys/\(name)") == 0o600) }
        #expect(!"\(try record())".contains("s3cret"))
    }

    @Test func `a malformed file counts as a new key, and old files are removed`() async throws {
        let folder = try ScratchFolder()
        let url = folder.url.appending(path: "keys")
        let ledger = FolderIdempotencyLedger(url, lifetime: .seconds(100))
        _ = try await ledger.begin("k", request: "r", owner: "a", lease: .zero)
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: url.path).first { $0.hasSuffix(".key") })
        try Data("{".utf8).write(to: url.appending(path: name))
        #expect(try await ledger.begin("k", request: "x", owner: "b", lease: .zero).name == "reserved")
        let old = Date(timeIntervalSinceNow: -1_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: url.appending(path: name).path)
        // A new store searches for old files with its first call.
        _ = try await FolderIdempotencyLedger(url, lifetime: .seconds(100))
            .begin("other", request: "r", owner: "a", lease: .zero)
        #expect(!FileManager.default.fileExists(atPath: url.appending(path: name).path))
    }

    @Test func `a folder that cannot be used is an error`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data(), name: "file")
        let ledger = FolderIdempotencyLedger(file.appending(path: "keys"))
        let error = await #expect(throws: ServiceError.self) {
            try await ledger.begin("k", request: "r", owner: "a", lease: .zero)
        }
        #expect(error?.code == .file)
    }
}
