import ErrandSupport

/// Writes the body of an entry: into memory up to 64 kB, then into a file.
final class DiskCacheWriter: CacheWriter {
    private struct State {
        var start = Data()
        var file: PartialFile?
        var hash = XXHash64()
        var size: Int64 = 0
        /// The number of bytes that were reserved for the file.
        var reserved: Int64 = 0
        var isEnded = false
    }

    private let store: DiskCacheStore
    private let entry: CacheEntry
    private let key: CacheKey
    /// The number of removals of the store before the first byte.
    private let removals: Int
    private let state = Locked(State())

    init(store: DiskCacheStore, entry: CacheEntry, key: CacheKey, removals: Int) {
        (self.store, self.entry, self.key, self.removals) = (store, entry, key, removals)
    }

    func write(_ bytes: Data) async throws -> Bool {
        var current = state.withLock { state in
            // The bytes are taken out, so that appending does not copy them.
            defer { state.start = Data() }
            return state
        }
        guard !current.isEnded else { return false }
        guard Int64(bytes.count) <= store.entryLimit - current.size else {
            cancel()
            return false
        }
        let before = current.reserved
        current.size += Int64(bytes.count)
        if current.file == nil, current.size <= DiskCacheFile.inlineLimit {
            current.start.append(bytes)
        } else if try await !spill(bytes, &current) {
            cancel()
            return false
        }
        let new = current
        let wasCancelled = state.withLock { state in
            if !state.isEnded { state = new }
            return state.isEnded
        }
        if wasCancelled { store.space.release(new.reserved - before) }
        return !wasCancelled
    }

    /// Appends bytes to the file. Returns `false` if the store has no space for them.
    private func spill(_ bytes: Data, _ current: inout State) async throws -> Bool {
        let parts = [current.start, bytes].filter { !$0.isEmpty }
        // The last block of the file counts completely.
        let count = parts.reduce(current.file == nil ? DiskCacheFolder.size(1) : 0) { $0 + Int64($1.count) }
        guard await store.space.reserve(count) else { return false }
        defer { store.space.settle(count) }
        let file = if let file = current.file { file } else { try store.folder.makePartialFile() }
        do throws(FileFailure) {
            for part in parts {
                try file.write(part)
                current.hash.update(part)
            }
            (current.file, current.start) = (file, Data())
            current.reserved += count
            return true
        } catch {
            store.space.release(current.reserved + count)
            state.withLock { ($0.isEnded, $0.file) = (true, nil) }
            throw DiskCacheFolder.failure(error)
        }
    }

    func finish() async throws {
        let current = state.withLock { state in
            defer { (state.isEnded, state.file, state.start) = (true, nil, Data()) }
            return state
        }
        guard !current.isEnded else { return }
        let digest = key.digest
        var file = DiskCacheFile(entry, key, size: current.size, body: current.start)
        let size = try await store.reserve(Int64(file.data.count) + DiskCacheFile.bodyReference)
        defer { store.space.settle(size) }
        let lock = try await store.lock(digest)
        defer { lock?.unlock() }
        let slots = try store.slots(digest)
        let (index, others) = place(in: slots.map(\.file))
        let replaced = ([index] + others).compactMap { slots[$0].file }
        // A slow response does not replace a newer one, and is not stored after all responses were removed.
        guard store.removals == removals,
            !replaced.contains(where: { $0.header.requestDate > entry.requestDate.timeIntervalSince1970 })
        else {
            return store.space.release(current.reserved + size)
        }
        if current.file != nil {
            let name = "\(slots[index].name.dropLast(".entry".count)).\(UUID().uuidString).body"
            (file.header.body, file.header.bodyHash) = (name, current.hash.value)
            store.noteVerified(name)
        }
        try store.write(file, to: slots[index].name, body: current.file)
        if store.removals != removals {
            return store.folder.remove([slots[index].name] + [file.header.body].compactMap(\.self))
        }
        // Readers that have opened an old body can still read it.
        store.folder.remove(others.map { slots[$0].name } + replaced.compactMap(\.header.body))
    }

    /// Returns the slot for the entry, and those that become invalid.
    ///
    /// A response that every request selects is alone in the first slot, so that a reader needs no other one.
    private func place(in files: [DiskCacheFile?]) -> (index: Int, others: [Int]) {
        if entry.selection.isEmpty { return (0, files.indices.filter { $0 > 0 && files[$0] != nil }) }
        if files[0]?.header.selection.isEmpty == true { return (0, []) }
        let same = files.firstIndex { $0?.header.selection == entry.selection }
        // An empty slot counts as the oldest.
        let oldest = files.indices.min { files[$0]?.header.responseDate ?? 0 < files[$1]?.header.responseDate ?? 0 }
        return (same ?? oldest ?? 0, [])
    }

    func cancel() {
        let reserved = state.withLock { state -> Int64 in
            guard !state.isEnded else { return 0 }
            defer { state = State(isEnded: true) }
            return state.reserved
        }
        store.space.release(reserved)
    }
}

/// Reads the file of a large body.
enum DiskCacheBody {
    /// The number of bytes of each read: 256 kB.
    private static let chunk = 256 << 10

    static func hash(of file: OpenFile) async throws -> UInt64 {
        var hash = XXHash64()
        var offset: Int64 = 0
        while case let bytes = try file.read(at: offset, count: chunk), !bytes.isEmpty {
            hash.update(bytes)
            offset += Int64(bytes.count)
            // A large body must not block other tasks.
            await Task.yield()
            try Task.checkCancellation()
        }
        return hash.value
    }

    static func stream(_ file: OpenFile, size: Int64) -> BodyStream {
        BodyStream {
            var offset: Int64 = 0
            return {
                try Task.checkCancellation()
                guard offset < size else { return nil }
                let bytes = try file.read(at: offset, count: chunk)
                guard !bytes.isEmpty else { throw DiskCacheFolder.failure(FileFailure(EIO)) }
                offset += Int64(bytes.count)
                return bytes
            }
        }
    }
}
