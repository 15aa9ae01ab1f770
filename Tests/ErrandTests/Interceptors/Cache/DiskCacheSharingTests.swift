import Errand
import Foundation
import TestSupport
import Testing

/// Several tasks and processes with one folder.
@Suite(.timeLimit(.minutes(2))) struct DiskCacheSharingTests {
    private let scene: DiskCacheScene

    init() throws {
        scene = try DiskCacheScene()
    }

    /// A file that another process has open and locked.
    private func lock(_ name: String) throws -> Int32 {
        let descriptor = open(scene.path(name), O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    @Test func `a change waits until another process releases the key`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        let key = try scene.key(1)
        #expect(try await scene.insert(1, [Data("a".utf8)], into: store))
        let descriptor = try lock("\(key.digest.prefix(2)).lock")
        async let isStored = scene.insert(1, [Data("b".utf8)], into: store)
        #expect(try await scene.body(1, in: store) == Data("a".utf8), "reading needs no lock")
        close(descriptor)
        #expect(try await isStored)
        #expect(try await scene.body(1, in: store) == Data("b".utf8))
    }

    @Test func `a change fails if another process keeps its lock`() async throws {
        let store = try DiskCacheStore(
            folder: scene.folder, capacity: 4 << 20, entryLimit: nil, lockTimeout: .milliseconds(5))
        let key = try scene.key(1)
        #expect(try await scene.insert(1, [DiskCacheScene.large], into: store))
        let descriptor = try lock("\(key.digest.prefix(2)).lock")
        defer { close(descriptor) }
        let old = try #require(try await store.entries(for: key).first)
        for change in [
            { _ = try await scene.insert(1, [DiskCacheScene.large], into: store) },
            { try await store.update(scene.entry(1), replacing: old, for: key) },
        ] {
            let error = await #expect(throws: ServiceError.self) { try await change() }
            #expect(error?.code == .file)
        }
        #expect(try scene.names().count == 2, "the partial file of the new body is removed")
        #expect(try await scene.body(1, in: store) == DiskCacheScene.large)
        try await store.remove(key)
        #expect(try scene.names().isEmpty, "a removal needs no lock")
    }

    @Test func `a response that every request selects replaces all variants, and the reverse`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        func insert(_ accept: String?, at seconds: Double) async throws -> [String?] {
            let entry = try scene.entry(1, tag: "\"\(seconds)\"", at: seconds, accept: accept)
            _ = try await scene.insert(entry, 1, [Data("a".utf8)], into: store)
            return try await store.entries(for: scene.key(1)).map { $0.head.headers["ETag"] }
        }
        #expect(try await insert("text", at: 1) == ["\"1.0\""])
        #expect(try await insert("image", at: 2) == ["\"2.0\"", "\"1.0\""])
        #expect(try await insert(nil, at: 1.5).count == 2, "it is older than one of the variants")
        #expect(try await insert(nil, at: 3) == ["\"3.0\""])
        #expect(try await insert("text", at: 2) == ["\"3.0\""], "it is older than the stored response")
        #expect(try await insert("text", at: 4) == ["\"4.0\""])
        #expect(try scene.names().count == 1)
    }

    @Test func `partial files of a process that was killed are removed, and others are kept`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        #expect(try await scene.insert(1, [DiskCacheScene.large], into: store))
        let digest = try scene.key(2).digest
        let orphan = "\(digest).0.\(UUID().uuidString).body"
        let partial = (0..<4).map { _ in ".errand-\(UUID().uuidString).part" }
        for (name, age) in [
            (partial[0], -60.0), (partial[1], 60), (partial[2], 60), (partial[3], 4_000), (orphan, 60),
            ("\(digest).1.\(UUID().uuidString).body", -60),
        ] {
            try Data(count: 5_000).write(to: scene.folder.appending(path: name))
            try scene.age(name, by: age)
        }
        let descriptors = try [lock(partial[2]), lock("\(digest.prefix(2)).lock")]
        // An entry of 200,000 and 400 bytes, two partial files, of which one is locked, and two bodies.
        #expect(store.usage == CacheUsage(entries: 1, bytes: 49 * 4_096 + 4_096 + 4 * 8_192))
        descriptors.forEach { close($0) }
        #expect(store.usage.bytes == 50 * 4_096 + 2 * 8_192)
        #expect(try scene.names(".part") == [partial[0]])
    }

    @Test func `a body that its entry no longer refers to is removed`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        #expect(try await scene.insert(1, [DiskCacheScene.large], into: store))
        let old = "\(try scene.key(1).digest).0.\(UUID().uuidString).body"
        try Data(count: 5_000).write(to: scene.folder.appending(path: old))
        #expect(store.usage == CacheUsage(entries: 1, bytes: 50 * 4_096))
        #expect(try await scene.body(1, in: store) == DiskCacheScene.large)
        #expect(try scene.names().count == 2)
    }

    @Test func `an entry without its body is removed`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        #expect(try await scene.insert(1, [DiskCacheScene.large], into: store))
        for name in try scene.names(".body") { try FileManager.default.removeItem(atPath: scene.path(name)) }
        #expect(try await scene.body(1, in: store) == nil)
        #expect(try scene.names().isEmpty && store.damagedEntries == 1)
    }

    @Test func `a folder that was removed is created again`() async throws {
        let store = try DiskCacheStore(folder: scene.folder)
        for bytes in [Data("a".utf8), DiskCacheScene.large] {
            try FileManager.default.removeItem(at: scene.folder)
            #expect(try await scene.insert(1, [bytes], into: store))
            #expect(try await scene.body(1, in: store) == bytes)
            #expect(try scene.scratch.mode(of: "cache") == 0o700)
        }
    }

    @Test func `a response that is being written is discarded when all are removed`() async throws {
        let memory = MemoryCacheStore()
        let disk = try DiskCacheStore(folder: scene.folder)
        for store in [memory, disk] as [any CacheStore] {
            let writer = try #require(try await store.makeWriter(for: scene.entry(1), key: scene.key(1)))
            #expect(try await writer.write(DiskCacheScene.large))
            try await store.removeAll()
            try await writer.finish()
            #expect(try await store.usage == CacheUsage())
        }
    }

    @Test func `writers that wait for the same scan get space`() async throws {
        let full = try DiskCacheStore(folder: scene.folder, capacity: 1_000_000, entryLimit: 300_000)
        for number in 0..<4 { #expect(try await scene.insert(number, [DiskCacheScene.large], into: full)) }
        let store = try DiskCacheStore(folder: scene.folder, capacity: 1_000_000, entryLimit: 300_000)
        async let small = scene.insert(5, [Data("a".utf8)], into: store)
        async let large = scene.insert(6, [DiskCacheScene.large], into: store)
        async let other = scene.insert(7, [DiskCacheScene.large], into: store)
        let stored = try await [small, large, other]
        #expect(stored == [true, true, true])
        #expect(store.usage.bytes <= 1_000_000)
    }

    @Test func `a body is not stored if unfinished files use the complete capacity`() async throws {
        let store = try DiskCacheStore(folder: scene.folder, capacity: 1_000_000, entryLimit: 300_000)
        #expect(try await scene.insert(9, [DiskCacheScene.large], into: store))
        var writers: [any CacheWriter] = []
        for number in 0..<4 {
            let writer = try #require(store.makeWriter(for: scene.entry(number), key: scene.key(number)))
            writers.append(writer)
            #expect(try await writer.write(DiskCacheScene.large))
        }
        #expect(try await scene.body(9, in: store) == nil, "the only complete entry was removed")
        #expect(try await !scene.insert(5, [DiskCacheScene.large], into: store))
        for writer in writers { await writer.cancel() }
        #expect(try await scene.insert(5, [DiskCacheScene.large], into: store))
    }
}
