import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DiskCacheStoreTests {
    private let scratch: ScratchFolder
    private let folder: URL

    init() throws {
        scratch = try ScratchFolder()
        folder = scratch.url.appending(path: "cache")
    }

    private func entry(_ number: Int, tag: String = "\"1\"") throws -> CacheEntry {
        let now = Date(timeIntervalSince1970: 1_000.25)
        let head = ResponseHead(
            status: 203, reason: "Fine", headers: ["ETag": tag, "X-A": "ü", "x-a": "2"], url: try url(number))
        return CacheEntry(head: head, requestDate: now - 1, responseDate: now, selection: VarySelection())
    }

    private func url(_ number: Int) throws -> URL { try #require(URL(string: "https://a.example/\(number)?b=c")) }

    private func key(_ number: Int, _ identity: Credentials.Identity? = nil) throws -> CacheKey {
        CacheKey(url: try url(number).absoluteString, identity: identity)
    }

    private func insert(_ number: Int, _ chunks: [Data], into store: DiskCacheStore) async throws -> Bool {
        let writer = try #require(store.makeWriter(for: entry(number), key: key(number)))
        for chunk in chunks where try await !writer.write(chunk) { return false }
        try await writer.finish()
        return true
    }

    private func body(_ number: Int, in store: DiskCacheStore) async throws -> Data? {
        try await store.entries(for: key(number)).first?.body.collect()
    }

    private func names(_ suffix: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
    }

    private static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    @Test(arguments: [Data(), Data("small".utf8), large]) func `another process reads a stored entry`(bytes: Data)
        async throws
    {
        let store = try DiskCacheStore(folder: folder)
        #expect(try await insert(1, [bytes.prefix(100), bytes.dropFirst(100)], into: store))
        let stored = try #require(try DiskCacheStore(folder: folder).entries(for: key(1)).first)
        let original = try entry(1)
        #expect(stored.head == original.head && stored.responseDate == original.responseDate)
        #expect(stored.requestDate == original.requestDate && stored.size == Int64(bytes.count))
        #expect(try await stored.body.collect() == bytes)
        #expect(try names(".body").count == (bytes.count > 65_536 ? 1 : 0))
        #expect(try store.entries(for: key(2)).isEmpty && store.entries(for: key(1, "account")).isEmpty)
    }

    @Test func `only the current user has access to the files`() async throws {
        let store = try DiskCacheStore(folder: folder)
        _ = try await insert(1, [Self.large], into: store)
        #expect(try scratch.mode(of: "cache") == 0o700)
        for name in try names() { #expect(try scratch.mode(of: "cache/\(name)") == 0o600) }
    }

    @Test func `an entry exists only after its writer has finished`() async throws {
        let store = try DiskCacheStore(folder: folder)
        let writer = try #require(store.makeWriter(for: entry(1), key: key(1)))
        _ = try await writer.write(Self.large)
        #expect(try store.entries(for: key(1)).isEmpty)
        await writer.cancel()
        try await writer.finish()
        #expect(try names().isEmpty && store.usage == CacheUsage())
    }

    @Test func `a new entry replaces the old one and its body`() async throws {
        let store = try DiskCacheStore(folder: folder)
        _ = try await insert(1, [Self.large], into: store)
        let old = try #require(try store.entries(for: key(1)).first)
        _ = try await insert(1, [Self.large.dropLast()], into: store)
        #expect(try await body(1, in: store)?.count == 199_999)
        #expect(try await old.body.collect() == Self.large, "an open body can be read to its end")
        #expect(try names().count == 2)
        _ = try await insert(1, [Data("small".utf8)], into: store)
        #expect(try names().count == 1)
    }

    @Test func `an update keeps the body`() async throws {
        for bytes in [Data("small".utf8), Self.large] {
            let store = try DiskCacheStore(folder: folder)
            _ = try await insert(1, [bytes], into: store)
            let updated = try entry(1, tag: "\"2\"").with(ResponseBody(), size: Int64(bytes.count))
            let old = try #require(try store.entries(for: key(1)).first)
            try store.update(updated, replacing: old, for: key(2))
            try store.update(updated, replacing: old, for: key(1))
            let stored = try #require(try DiskCacheStore(folder: folder).entries(for: key(1)).first)
            #expect(stored.head.headers["ETag"] == "\"2\"")
            #expect(try await stored.body.collect() == bytes)
            #expect(try store.entries(for: key(2)).isEmpty)
        }
    }

    @Test(arguments: [("small", ".entry"), ("large", ".entry"), ("large", ".body")])
    func `a damaged file is never used`(size: String, suffix: String) async throws {
        let bytes = size == "small" ? Data("small".utf8) : Self.large
        for damage in 0...11 {
            _ = try await insert(1, [bytes], into: try DiskCacheStore(folder: folder))
            let file = folder.appending(path: try #require(try names(suffix).first))
            var data = try Data(contentsOf: file)
            if damage < 11 { data[damage * (data.count - 1) / 10] ^= 1 } else { data = data.dropLast() }
            try data.write(to: file)
            let store = try DiskCacheStore(folder: folder)
            #expect(try await body(1, in: store) == nil, "\(damage)")
            #expect(store.damagedEntries == 1)
            try FileManager.default.removeItem(at: folder)
        }
    }

    @Test func `files of other programs are kept`() async throws {
        let store = try DiskCacheStore(folder: folder)
        for name in ["notes.txt", "a.body.txt"] { try Data("x".utf8).write(to: folder.appending(path: name)) }
        _ = try await insert(1, [Data("1".utf8)], into: store)
        try await store.removeAll()
        #expect(try names().sorted() == ["a.body.txt", "notes.txt"])
    }

    @Test func `the least recently used entries are removed`() async throws {
        let store = try DiskCacheStore(folder: folder, capacity: 1_000_000, entryLimit: 300_000)
        for number in 0..<4 {
            #expect(try await insert(number, [Self.large], into: store))
            let date = Date(timeIntervalSinceNow: Double(number - 100))
            for name in try names(".entry") where try FileManager.default.isNew(folder.appending(path: name)) {
                try FileManager.default.setAttributes(
                    [.modificationDate: date], ofItemAtPath: folder.appending(path: name).path)
            }
        }
        _ = try await insert(4, [Self.large], into: store)
        #expect(store.usage.bytes <= 1_000_000)
        #expect(try await body(0, in: store) == nil)
        #expect(try await body(4, in: store) == Self.large)
        #expect(try await !insert(5, [Self.large, Self.large], into: store))
    }

    @Test func `entries are removed by key, by condition, or all at once`() async throws {
        let store = try DiskCacheStore(folder: folder)
        for number in 0..<6 { _ = try await insert(number, [number == 0 ? Self.large : Data([1])], into: store) }
        try store.remove(key(0))
        #expect(store.usage.entries == 5)
        try store.remove { $0.path == "/1" }
        #expect(store.usage.entries == 4)
        try await store.removeAll()
        #expect(try names().isEmpty)
    }

    @Test func `a folder that can't be created is an error`() throws {
        let file = scratch.url.appending(path: "file")
        try Data().write(to: file)
        for url in [file.appending(path: "a"), URL(string: "https://a.example")] {
            let error = #expect(throws: ServiceError.self) { try DiskCacheStore(folder: try #require(url)) }
            #expect(error?.code == .file)
        }
    }

    @Test func `a large body is read by its caller while it is validated in the background`() async throws {
        let control = "max-age=1, stale-while-revalidate=100"
        let script = ScriptedSession { request in
            guard request.headers["If-None-Match"] == nil else { return .status(304) }
            return .data(Self.large).header("Cache-Control", control).header("ETag", "\"1\"")
        }
        let cache = CacheInterceptor(try DiskCacheStore(folder: folder))
        let session = script.intercepted(by: cache)
        let clock = ManualClock()
        for _ in 0..<4 {
            var request = try CacheScene.request()
            (request.options.time, request.options.delivery) = (clock, .streamed)
            let body = try await session.send(request).body
            try await Soak.wait { cache.refreshing == 0 }
            #expect(try await body.collect() == Self.large)
            clock.advance(by: .seconds(3))
        }
        #expect(script.recorded.count == 4)
    }

    @Test func `the interceptor stores variants and validates over the disk`() async throws {
        let clock = ManualClock()
        let replies: [CannedReply] = [
            .caching("max-age=10", "a").header("Vary", "Foo").header("ETag", "\"1\""),
            .caching("max-age=10", "b").header("Vary", "Foo"), .status(304).header("ETag", "\"1\""),
        ]
        let script = ScriptedSession(replies)
        let session = script.cached(in: try DiskCacheStore(folder: folder))
        func get(_ foo: String) async throws -> String {
            var request = try CacheScene.request(.get, "/a", ["Foo": foo])
            request.options.time = clock
            return String(decoding: try await session.send(request).body.collect(), as: UTF8.self)
        }
        #expect(try await [get("1"), get("2"), get("1"), get("2")] == ["a", "b", "a", "b"])
        clock.advance(by: .seconds(11))
        #expect(try await [get("1"), get("1")] == ["a", "a"])
        #expect(script.recorded.count == 3)
    }
}

extension FileManager {
    /// Whether a file was changed in the last 50 seconds.
    fileprivate func isNew(_ url: URL) throws -> Bool {
        let date = try attributesOfItem(atPath: url.path)[.modificationDate] as? Date
        return date.map { $0.timeIntervalSinceNow > -50 } ?? false
    }
}
