import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DiskCacheStoreTests {
    private let scene: DiskCacheScene

    init() throws {
        scene = try DiskCacheScene()
    }

    @Test(arguments: [Data(), Data("small".utf8), DiskCacheScene.large]) func `another process reads a stored entry`(
        bytes: Data
    )
        async throws
    {
        let store = try DiskCacheStore(folder: scene.folder)
        #expect(try await scene.insert(1, [bytes.prefix(100), bytes.dropFirst(100)], into: store))
        let stored = try #require(try await DiskCacheStore(folder: scene.folder).entries(for: scene.key(1)).first)
        let original = try scene.entry(1)
        #expect(stored.head == original.head && stored.responseDate == original.responseDate)
        #expect(stored.requestDate == original.requestDate && stored.size == Int64(bytes.count))
        #expect(try await stored.body.collect() == bytes)
        #expect(try scene.names(".body").count == (bytes.count > 65_536 ? 1 : 0))
        for key in try [scene.key(2), scene.key(1, "account")] {
            #expect(try await store.entries(for: key).isEmpty)
        }
    }

    @Test func `only the current user has access to the files`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        _ = try await scene.insert(1, [DiskCacheScene.large], into: store)
        #expect(try scene.scratch.mode(of: "cache") == 0o700)
        for name in try scene.names() { #expect(try scene.scratch.mode(of: "cache/\(name)") == 0o600) }
    }

    @Test func `an entry exists only after its writer has finished`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        let writer = try #require(store.makeWriter(for: scene.entry(1), key: scene.key(1)))
        _ = try await writer.write(DiskCacheScene.large)
        #expect(try await store.entries(for: scene.key(1)).isEmpty)
        await writer.cancel()
        try await writer.finish()
        #expect(try scene.names("y").isEmpty && store.usage == CacheUsage())
    }

    @Test func `a new entry replaces the old one and its body`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        _ = try await scene.insert(1, [DiskCacheScene.large], into: store)
        let old = try #require(try await store.entries(for: scene.key(1)).first)
        _ = try await scene.insert(1, [DiskCacheScene.large.dropLast()], into: store)
        #expect(try await scene.body(1, in: store)?.count == 199_999)
        #expect(try await old.body.collect() == DiskCacheScene.large, "an open body can be read to its end")
        #expect(try scene.names().count == 2)
        _ = try await scene.insert(1, [Data("small".utf8)], into: store)
        #expect(try scene.names().count == 1)
    }

    @Test func `an update keeps the body`() async throws {
        for bytes in [Data("small".utf8), DiskCacheScene.large] {
            let store = try DiskCacheStore(folder: scene.folder)
            _ = try await scene.insert(1, [bytes], into: store)
            let updated = try scene.entry(1, tag: "\"2\"").with(ResponseBody(), size: Int64(bytes.count))
            let old = try #require(try await store.entries(for: scene.key(1)).first)
            try await store.update(updated, replacing: old, for: scene.key(2))
            try await store.update(updated, replacing: old, for: scene.key(1))
            let stored = try #require(try await DiskCacheStore(folder: scene.folder).entries(for: scene.key(1)).first)
            #expect(stored.head.headers["ETag"] == "\"2\"")
            #expect(try await stored.body.collect() == bytes)
            #expect(try await store.entries(for: scene.key(2)).isEmpty)
        }
    }

    @Test(arguments: [("small", ".entry"), ("large", ".entry"), ("large", ".body")])
    func `a damaged file is never used`(size: String, suffix: String) async throws {
        let bytes = size == "small" ? Data("small".utf8) : DiskCacheScene.large
        for damage in 0...11 {
            _ = try await scene.insert(1, [bytes], into: try DiskCacheStore(folder: scene.folder))
            let file = scene.folder.appending(path: try #require(try scene.names(suffix).first))
            var data = try Data(contentsOf: file)
            if damage < 11 { data[damage * (data.count - 1) / 10] ^= 1 } else { data = data.dropLast() }
            try data.write(to: file)
            let store = try DiskCacheStore(folder: scene.folder)
            #expect(try await scene.body(1, in: store) == nil, "\(damage)")
            #expect(store.damagedEntries == 1)
            try FileManager.default.removeItem(at: scene.folder)
        }
    }

    @Test func `an entry of another key is removed and never used`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        _ = try await scene.insert(1, [Data("1".utf8)], into: store)
        let name = try #require(try scene.names().first)
        try FileManager.default.moveItem(
            atPath: scene.path(name), toPath: scene.path("\(scene.key(2).digest).0.entry"))
        #expect(try await scene.body(2, in: store) == nil)
        #expect(try store.damagedEntries == 1 && scene.names().isEmpty)
    }

    @Test func `files of other programs are kept`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        let others = [".errand-film.json", ".errand-film.part", "a.body", "a.body.txt", "b.entry", "notes.txt"]
        for name in others {
            try Data("x".utf8).write(to: scene.folder.appending(path: name))
            try scene.age(name, by: 10_000)
        }
        _ = try await scene.insert(1, [Data("1".utf8)], into: store)
        try await store.removeAll()
        #expect(try scene.names().sorted() == others && store.usage == CacheUsage())
    }

    @Test func `the least recently used entries are removed`() async throws {
        let store = try DiskCacheStore(folder: scene.folder, capacity: 1_000_000, entryLimit: 300_000)
        for number in 0..<4 {
            #expect(try await scene.insert(number, [DiskCacheScene.large], into: store))
            let date = Date(timeIntervalSinceNow: Double(number - 100))
            for name in try scene.names(".entry")
            where try FileManager.default.isNew(scene.folder.appending(path: name)) {
                try FileManager.default.setAttributes(
                    [.modificationDate: date], ofItemAtPath: scene.folder.appending(path: name).path)
            }
        }
        _ = try await scene.insert(4, [DiskCacheScene.large], into: store)
        #expect(store.usage.bytes <= 1_000_000)
        #expect(try await scene.body(0, in: store) == nil)
        #expect(try await scene.body(4, in: store) == DiskCacheScene.large)
        #expect(try await !scene.insert(5, [DiskCacheScene.large, DiskCacheScene.large], into: store))
    }

    @Test func `entries are removed by key, by condition, or all at once`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        for number in 0..<6 {
            _ = try await scene.insert(number, [number == 0 ? DiskCacheScene.large : Data([1])], into: store)
        }
        try await store.remove(scene.key(0))
        #expect(store.usage.entries == 5)
        try await store.remove { $0.path == "/1" }
        #expect(store.usage.entries == 4)
        try await store.removeAll()
        #expect(try scene.names().isEmpty)
    }

    @Test func `a scene.folder that can't be created is an error`() throws {
        let file = scene.scratch.url.appending(path: "file")
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
            return .data(DiskCacheScene.large).header("Cache-Control", control).header("ETag", "\"1\"")
        }
        let cache = CacheInterceptor(try DiskCacheStore(folder: scene.folder))
        let session = script.intercepted(by: cache)
        let clock = ManualClock()
        for _ in 0..<4 {
            var request = try CacheScene.request()
            (request.options.time, request.options.delivery) = (clock, .streamed)
            let body = try await session.send(request).body
            try await Soak.wait { cache.refreshing == 0 }
            #expect(try await body.collect() == DiskCacheScene.large)
            clock.advance(by: .seconds(3))
        }
        #expect(script.recorded.count == 4)
    }

    @Test func `a part of a large body is read from the disk`() async throws {
        // Larger than two chunks of a read.
        let bytes = DiskCacheScene.large + DiskCacheScene.large + DiskCacheScene.large
        let script = ScriptedSession([.data(bytes).header("Cache-Control", "max-age=10")])
        let session = script.cached(in: try DiskCacheStore(folder: scene.folder))
        _ = try await session.send(try CacheScene.request())
        for range in [0..<1, 599_000..<600_000, 65_530..<540_000, 300_000..<300_001] {
            let header = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
            let response = try await session.send(try CacheScene.request(.get, "/a", ["Range": header]))
            #expect(response.head.status == 206)
            #expect(try await response.body.collect() == bytes[range])
        }
        #expect(script.recorded.count == 1)
    }

    @Test func `the interceptor stores variants and validates over the disk`() async throws {
        let clock = ManualClock()
        let replies: [CannedReply] = [
            .caching("max-age=10", "a").header("Vary", "Foo").header("ETag", "\"1\""),
            .caching("max-age=10", "b").header("Vary", "Foo"), .status(304).header("ETag", "\"1\""),
        ]
        let script = ScriptedSession(replies)
        let session = script.cached(in: try DiskCacheStore(folder: scene.folder))
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
