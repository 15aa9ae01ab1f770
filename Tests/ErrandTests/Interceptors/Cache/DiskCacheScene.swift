import Errand
import Foundation
import TestSupport
import Testing

/// A folder for a ``DiskCacheStore``, with entries by number.
struct DiskCacheScene {
    let scratch: ScratchFolder
    let folder: URL

    init() throws {
        scratch = try ScratchFolder()
        folder = scratch.url.appending(path: "cache")
    }

    /// A body that is stored in a separate file.
    static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    func entry(
        _ number: Int, tag: String = "\"1\"", at seconds: Double = 1_000.25, accept: String? = nil
    ) throws -> CacheEntry {
        let now = Date(timeIntervalSince1970: seconds)
        let head = ResponseHead(
            status: 203, reason: "Fine", headers: ["ETag": tag, "X-A": "ü", "x-a": "2"], url: try url(number))
        return CacheEntry(head: head, requestDate: now - 1, responseDate: now, selection: try selection(accept))
    }

    /// The selection of a variant. It is created from its stored form, because only requests create others.
    private func selection(_ accept: String?) throws -> VarySelection {
        guard let accept else { return VarySelection() }
        return try JSONDecoder().decode(
            VarySelection.self, from: Data(#"{"values":{"accept":"\#(accept)"}}"#.utf8))
    }

    func url(_ number: Int) throws -> URL { try #require(URL(string: "https://a.example/\(number)?b=c")) }

    func key(_ number: Int, _ identity: Credentials.Identity? = nil) throws -> CacheKey {
        CacheKey(url: try url(number).absoluteString, identity: identity)
    }

    func insert(_ number: Int, _ chunks: [Data], into store: DiskCacheStore) async throws -> Bool {
        try await insert(entry(number), number, chunks, into: store)
    }

    func insert(
        _ entry: CacheEntry, _ number: Int, _ chunks: [Data], into store: DiskCacheStore
    ) async throws -> Bool {
        let writer = try #require(store.makeWriter(for: entry, key: key(number)))
        for chunk in chunks where try await !writer.write(chunk) { return false }
        try await writer.finish()
        return true
    }

    func body(_ number: Int, in store: DiskCacheStore) async throws -> Data? {
        try await store.entries(for: key(number)).first?.body.collect()
    }

    /// The names of the files, without lock files.
    func names(_ suffix: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(suffix) && !$0.hasSuffix(".lock") }
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Sets the time at which a file was changed, in seconds before now.
    func age(_ name: String, by seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path(name))
    }
}
