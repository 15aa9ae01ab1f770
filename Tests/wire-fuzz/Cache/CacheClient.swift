import Errand
import TestSupport

/// Writes and reads a folder of stored responses, in a process that a test kills while other processes use the folder.
///
/// The bytes of each body follow from its entity tag, so that a reader can tell whether an entry is complete and whether
/// its headers belong to its body.
struct CacheClient: Sendable {
    private static let workers = 8
    private static let longestBody = 1 << 20

    private let folder: URL
    private let capacity: Int64
    private let traffic: Int64
    private let seed: UInt64
    /// The number of URLs, which have more bytes than the capacity.
    private let keys: UInt64
    private let pattern: Data

    /// Parses the arguments `--cache FOLDER CAPACITY TRAFFIC SEED`, with sizes in MB. Returns `nil` for others.
    init?(_ arguments: [String]) {
        guard arguments.count == 5, arguments[0] == "--cache", let capacity = Int64(arguments[2]),
            let traffic = Int64(arguments[3]), let seed = UInt64(arguments[4])
        else { return nil }
        folder = URL(filePath: arguments[1])
        (self.capacity, self.traffic, self.seed) = (capacity << 20, traffic << 20, seed)
        keys = UInt64(max(1, capacity * 50))
        var random = SplitMix(state: 11)
        let words = (0..<Self.longestBody / 8).map { _ in random.next() }
        let bytes = words.withUnsafeBytes { Data($0) }
        pattern = bytes + bytes
    }

    /// Returns the exit status: 0 if all entries had the right bytes and the folder stayed below its capacity.
    func run() async -> Int32 {
        do {
            let store = try DiskCacheStore(folder: folder, capacity: capacity)
            var tally = try await check(store)
            // `print` would keep the text until the process ends, which a kill prevents.
            FileHandle.standardOutput.write(Data("at the start: \(tally.reads) entries\n".utf8))
            try await withThrowingTaskGroup(of: Tally.self) { group in
                for worker in 0..<Self.workers where traffic > 0 {
                    group.addTask { try await work(store, UInt64(worker)) }
                }
                for try await part in group { tally.add(part) }
            }
            let written = tally.bytes >> 20, largest = tally.largestFolder >> 20
            print(
                "\(tally.reads) reads, \(written) MB written, largest folder \(largest) MB, \(tally.wrong) wrong,",
                "\(store.damagedEntries) damaged")
            return tally.wrong == 0 && store.damagedEntries == 0 && tally.largestFolder <= capacity ? 0 : 1
        } catch {
            print(error)
            return 1
        }
    }

    private struct Tally {
        var reads = 0
        var wrong = 0
        var bytes: Int64 = 0
        var largestFolder: Int64 = 0

        mutating func add(_ other: Tally) {
            (reads, wrong, bytes) = (reads + other.reads, wrong + other.wrong, bytes + other.bytes)
            largestFolder = max(largestFolder, other.largestFolder)
        }
    }

    private func work(_ store: DiskCacheStore, _ worker: UInt64) async throws -> Tally {
        var random = SplitMix(state: seed &* 1_000 &+ worker)
        var tally = Tally()
        while tally.bytes < traffic / Int64(Self.workers) {
            let number = UInt64.random(in: 0..<keys, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: try await store.remove(key(number))
            case 1...9: try await read(number, store, &tally)
            default: tally.bytes += try await write(number, store, &random)
            }
            if worker == 0 { tally.largestFolder = max(tally.largestFolder, folderSize()) }
        }
        return tally
    }

    private func key(_ number: UInt64) -> CacheKey { CacheKey(url: "https://api.example/\(number)") }

    /// The bytes of the body with an entity tag.
    private func body(_ tag: UInt64) -> Data {
        let start = Int(tag % UInt64(Self.longestBody))
        // Most bodies are small, and a few have the maximum size.
        let size = Int(tag >> 20) % (tag.isMultiple(of: 10) ? Self.longestBody : 80_000)
        return pattern[start..<start + size]
    }

    private func write(
        _ number: UInt64, _ store: DiskCacheStore, _ random: inout SplitMix
    ) async throws -> Int64 {
        let tag = UInt64.random(in: 0..<1 << 60, using: &random)
        let variant = UInt64.random(in: 0..<4, using: &random)
        var headers: HeaderFields = ["ETag": "\"\(tag)\""]
        if variant > 0 { headers["Vary"] = "Accept" }
        guard let url = URL(string: key(number).url) else { return 0 }
        let head = ResponseHead(status: 200, headers: headers, url: url)
        let now = Date()
        let entry = CacheEntry(
            head: head, requestDate: now, responseDate: now,
            selection: try selection(variant))
        guard let writer = store.makeWriter(for: entry, key: key(number)) else { return 0 }
        var rest = body(tag)
        let size = Int64(rest.count)
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...100_000, using: &random))
            guard try await writer.write(chunk) else { return size }
            rest = rest.dropFirst(chunk.count)
        }
        if Bool.random(using: &random) || size < 1_000 { try await finish(writer) } else { await writer.cancel() }
        return size
    }

    /// Completes an entry. After kills, unfinished files can use the complete capacity for a second.
    private func finish(_ writer: any CacheWriter) async throws {
        do {
            try await writer.finish()
        } catch let error as ServiceError where error.reason.hasPrefix("the cache has no space") {}
    }

    /// The selection of a variant. It is created from its stored form, because only requests create others.
    private func selection(_ variant: UInt64) throws -> VarySelection {
        let values = variant > 0 ? ["accept": "\(variant)"] : [:]
        return try JSONDecoder().decode(VarySelection.self, from: JSONEncoder().encode(["values": values]))
    }

    private func read(_ number: UInt64, _ store: DiskCacheStore, _ tally: inout Tally) async throws {
        for entry in try await store.entries(for: key(number)) {
            let bytes = try await entry.body.collect(upTo: Self.longestBody)
            let tag = entry.head.headers["ETag"].flatMap { UInt64($0.dropFirst().dropLast()) }
            tally.reads += 1
            if tag.map({ body($0) }) != bytes || entry.size != Int64(bytes.count) { tally.wrong += 1 }
        }
    }

    private func check(_ store: DiskCacheStore) async throws -> Tally {
        var tally = Tally()
        for number in 0..<keys { try await read(number, store, &tally) }
        return tally
    }

    private func folderSize() -> Int64 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.reduce(0) { sum, name in
            var facts = stat()
            let path = folder.appending(path: name).path
            return lstat(path, &facts) == 0 ? sum + Int64(facts.st_size) : sum
        }
    }
}
