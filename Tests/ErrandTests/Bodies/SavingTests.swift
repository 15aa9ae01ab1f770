import Errand
import ErrandSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SavingTests {
    private static let parts = [Data(repeating: 1, count: 100_000), Data(), Data(repeating: 2, count: 7)]

    @Test(arguments: [true, false], [nil, Int64(100_007)])
    func `a saved body replaces an existing file`(isStream: Bool, limit: Int64?) async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data("old".utf8), name: "body é")
        let complete = Self.parts.reduce(Data(), +)
        let body = isStream ? ResponseBody(stream: AsyncParts(Self.parts)) : ResponseBody(complete)
        let count = try await body.save(to: file, upTo: limit ?? .max)
        #expect(count == 100_007)
        #expect(try Data(contentsOf: file) == complete)
        #expect(try folder.names() == ["body é"])
        // The permissions are those of any other file that this process creates.
        let other = try folder.file(Data(), name: "other").lastPathComponent
        let (mode, usual) = (try folder.mode(of: "body é"), try folder.mode(of: other))
        #expect(mode == usual)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let name: String
        let code: ServiceError.Code
        var reason = ""
        var path = "body"
        var limit = Int64.max
        let body: @Sendable () -> ResponseBody
        var testDescription: String { name }
    }

    static let failures: [Failure] = [
        Failure(name: "truncated", code: .connectionLost) {
            ResponseBody(stream: AsyncParts(parts, then: URLError(.networkConnectionLost)))
        },
        Failure(name: "too large", code: .bodyTooLarge, limit: 100_006) { ResponseBody(stream: AsyncParts(parts)) },
        Failure(name: "buffered body too large", code: .bodyTooLarge, limit: 2) { ResponseBody(Data(count: 3)) },
        Failure(name: "no folder", code: .file, reason: "no such file or folder", path: "none/body") {
            ResponseBody()
        },
        Failure(name: "a folder with the same name", code: .file, reason: "a folder with that name", path: "folder") {
            ResponseBody(stream: AsyncParts(parts))
        },
        Failure(name: "already read", code: .configuration) {
            let body = ResponseBody(stream: AsyncParts(parts))
            _ = body.makeAsyncIterator()
            return body
        },
    ]

    @Test(arguments: failures)
    func `a failed save leaves no file and keeps an existing one`(row: Failure) async throws {
        let folder = try ScratchFolder()
        _ = try folder.file(Data("old".utf8))
        let inner = folder.url.appending(path: "folder")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        _ = try Data().write(to: inner.appending(path: "x"))
        let file = folder.url.appending(path: row.path)
        let error = await #expect(throws: ServiceError.self) { try await row.body().save(to: file, upTo: row.limit) }
        #expect(error?.code == row.code && (error?.reason ?? "").hasPart(row.reason), "\(error as Any)")
        #expect(try folder.names() == ["body", "folder"])
        #expect(try Data(contentsOf: folder.url.appending(path: "body")) == Data("old".utf8))
    }

    @Test func `a URL that is not a file URL is rejected`() async throws {
        let remote = try #require(URL(string: "http://127.0.0.1/body"))
        let error = await #expect(throws: ServiceError.self) { try await ResponseBody().save(to: remote) }
        #expect(error?.code == .file)
    }

    @Test func `a partial file is private, and cancellation removes it`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "body")
        let modes = Locked<[Int]>([])
        let (readings, read) = AsyncStream<Void>.makeStream()
        let parts = AsyncParts(Self.parts, waits: true) {
            let found = (try? folder.leftovers().map { try folder.mode(of: $0) }) ?? []
            modes.withLock { $0 += found }
            read.yield()
        }
        let saving = Task { try await ResponseBody(stream: parts).save(to: file) }
        for await _ in readings.prefix(4) {}
        #expect(try !folder.names().contains("body"))
        saving.cancel()
        let error = await #expect(throws: ServiceError.self) { try await saving.value }
        #expect(error?.code == .cancelled)
        #expect(modes.withLock { $0 } == [0o600, 0o600, 0o600, 0o600])
        #expect(try folder.names() == [])
    }
}

extension String {
    /// Returns whether this string contains another string, which may be empty.
    fileprivate func hasPart(_ part: String) -> Bool { part.isEmpty || contains(part) }
}
