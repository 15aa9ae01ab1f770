import ErrandSupport

/// Writes the body of an entry: into memory up to 64 kB, then into a file.
final class DiskCacheWriter: CacheWriter {
    private struct State {
        var start = Data()
        var file: PartialFile?
        var hash = XXHash64()
        var size: Int64 = 0
        var isEnded = false
    }

    private let store: DiskCacheStore
    private let entry: CacheEntry
    private let key: CacheKey
    private let state = Locked(State())

    init(store: DiskCacheStore, entry: CacheEntry, key: CacheKey) {
        (self.store, self.entry, self.key) = (store, entry, key)
    }

    func write(_ bytes: Data) throws -> Bool {
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
        store.reserve(Int64(bytes.count))
        current.size += Int64(bytes.count)
        if current.file == nil, current.size <= DiskCacheFile.inlineLimit {
            current.start.append(bytes)
        } else {
            do throws(FileFailure) {
                let file = if let file = current.file { file } else { try PartialFile(in: store.folder.url) }
                for part in [current.start, bytes] where !part.isEmpty {
                    try file.write(part)
                    current.hash.update(part)
                }
                (current.file, current.start) = (file, Data())
            } catch {
                store.release(current.size)
                state.withLock { ($0.isEnded, $0.file) = (true, nil) }
                throw DiskCacheFolder.failure(error)
            }
        }
        let new = current
        state.withLock { if !$0.isEnded { $0 = new } }
        return true
    }

    func finish() throws {
        let current = state.withLock { state in
            defer { (state.isEnded, state.file, state.start) = (true, nil, Data()) }
            return state
        }
        guard !current.isEnded else { return }
        let (name, old) = try store.slot(of: entry, key)
        var file = DiskCacheFile(entry, key, size: current.size, body: current.start)
        if let partial = current.file {
            let body = "\(name.dropLast(".entry".count)).\(UUID().uuidString).body"
            do throws(FileFailure) {
                try partial.move(to: URL(filePath: store.folder.path(body)), staysPrivate: true)
            } catch {
                throw DiskCacheFolder.failure(error)
            }
            (file.header.body, file.header.bodyHash) = (body, current.hash.value)
            store.noteVerified(body)
        }
        // A slow response does not replace a newer one.
        let isOutdated =
            old?.header.selection == entry.selection
            && old?.header.requestDate ?? 0 > entry.requestDate.timeIntervalSince1970
        guard !isOutdated else {
            if let body = file.header.body { store.folder.remove([body]) }
            return
        }
        store.reserve(2_048)
        try store.write(file, to: name)
        // Readers that have opened the old body can still read it.
        if let body = old?.header.body { store.folder.remove([body]) }
    }

    func cancel() {
        let size = state.withLock { state -> Int64 in
            guard !state.isEnded else { return 0 }
            defer { state = State(isEnded: true) }
            return state.size
        }
        store.release(size)
    }
}

/// Reads the file of a large body.
enum DiskCacheBody {
    /// The number of bytes of each read: 256 kB.
    private static let chunk = 256 << 10

    static func hash(of file: OpenFile) throws -> UInt64 {
        var hash = XXHash64()
        var offset: Int64 = 0
        while case let bytes = try file.read(at: offset, count: chunk), !bytes.isEmpty {
            hash.update(bytes)
            offset += Int64(bytes.count)
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
