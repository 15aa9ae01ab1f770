import ErrandSupport

/// A store of responses in a folder. Several processes can share it.
///
/// ```swift
/// let store = try DiskCacheStore(folder: .cachesDirectory.appending(path: "com.example.gallery"))
/// let session = PlatformSession.platform.cached(in: store)
/// ```
/// Only the current user has access to the folder and its files. The files contain complete responses without encryption,
/// which can be personal data. Choose a folder that is not copied to other computers.
///
/// An entry appears in the folder when it is complete, so a process that is killed leaves only complete entries. A
/// damaged file is removed and never used. When the store is full, the least recently used entries are removed. Bodies of
/// more than 64 kB are streamed from the disk.
public final class DiskCacheStore: CacheStore {
    /// The default capacity: 100 MB.
    public static let defaultCapacity: Int64 = 100 << 20

    struct State: Sendable {
        /// The known size of all files, or `nil` before the first scan.
        var bytes: Int64?
        /// The number of bytes that were added since the last scan.
        var added: Int64 = 0
        /// The large bodies with a hash that this process has compared.
        var verified: Set<String> = []
        /// The times at which this process noted the use of its files.
        var touched: [String: Date] = [:]
        var damaged = 0
    }

    private static let rememberedFiles = 10_000
    private static let touchInterval: TimeInterval = 60

    let folder: DiskCacheFolder
    let entryLimit: Int64
    private let capacity: Int64
    private let state = Locked(State())

    /// Opens a folder, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder. It should contain nothing else.
    ///   - capacity: The maximum total size in bytes of all files. The default is 100 MB. If several processes share the
    ///     folder, pass the same value in each.
    ///   - entryLimit: The maximum size in bytes of a body. The default is an eighth of the capacity.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the folder can't be created.
    public init(
        folder: URL, capacity: Int64 = DiskCacheStore.defaultCapacity, entryLimit: Int64? = nil
    ) throws(ServiceError) {
        self.folder = try DiskCacheFolder(folder)
        self.capacity = max(0, capacity)
        self.entryLimit = max(0, min(entryLimit ?? self.capacity / 8, self.capacity / 2))
    }

    /// The number of damaged files that were removed since this store was opened.
    public var damagedEntries: Int { state.withLock { $0.damaged } }

    /// Returns the complete entries of a key, the newest first.
    public func entries(for key: CacheKey) throws -> [CacheEntry] {
        let digest = key.digest
        return try (0..<DiskCacheFolder.slots).compactMap { slot in
            let name = DiskCacheFolder.name(digest, slot)
            guard let file = try file(name), file.header.key == digest, file.header.url == key.url else { return nil }
            touch(name)
            return try body(of: file).flatMap { file.entry($0) }
        }.sorted { $0.responseDate > $1.responseDate }
    }

    /// Starts to store a response.
    public func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? {
        entryLimit > 0 ? DiskCacheWriter(store: self, entry: entry, key: key) : nil
    }

    /// Replaces the headers and times of an entry.
    public func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) throws {
        let (name, file) = try slot(of: entry, key)
        guard let file, file.entry(ResponseBody())?.isSame(as: old) == true else { return }
        var new = DiskCacheFile(entry, key, size: file.header.size, body: file.body)
        (new.header.body, new.header.bodyHash) = (file.header.body, file.header.bodyHash)
        try write(new, to: name)
    }

    /// Removes the entries of a key.
    public func remove(_ key: CacheKey) throws {
        let digest = key.digest
        for slot in 0..<DiskCacheFolder.slots {
            let name = DiskCacheFolder.name(digest, slot)
            // An entry that cannot be read is removed, too.
            let body = (try? file(name))?.flatMap(\.header.body)
            folder.remove([name] + [body].compactMap(\.self))
        }
    }

    /// Removes the entries of all URLs that satisfy a condition.
    public func remove(matching condition: @Sendable (URL) -> Bool) throws {
        for item in folder.scan() {
            // An entry that cannot be read is removed, too.
            let url = (try? file(item.name)).flatMap { URL(string: $0?.header.url ?? "") }
            if url.map(condition) ?? true { folder.remove([item.name] + item.bodies) }
        }
        state.withLock { $0.bytes = nil }
    }

    /// The number of entries and their total size.
    public var usage: CacheUsage {
        let items = folder.scan()
        return CacheUsage(entries: items.count, bytes: items.reduce(0) { $0 + $1.size })
    }
}

extension DiskCacheStore {
    /// Reads an entry file. A damaged one is removed.
    func file(_ name: String) throws -> DiskCacheFile? {
        do throws(FileFailure) {
            guard let data = try folder.read(name) else { return nil }
            if let file = DiskCacheFile(data) { return file }
        } catch {
            throw DiskCacheFolder.failure(error)
        }
        discard([name])
        return nil
    }

    /// Returns the name and the file of the slot for a variant: that of the same variant, otherwise an empty one,
    /// otherwise that of the oldest response.
    func slot(of entry: CacheEntry, _ key: CacheKey) throws -> (name: String, file: DiskCacheFile?) {
        let names = (0..<DiskCacheFolder.slots).map { DiskCacheFolder.name(key.digest, $0) }
        let slots = try names.map { (name: $0, file: try file($0)) }
        let same = slots.first { $0.file?.header.selection == entry.selection }
        let oldest = slots.min { $0.file?.header.responseDate ?? 0 < $1.file?.header.responseDate ?? 0 }
        return same ?? oldest ?? (names[0], nil)
    }

    func discard(_ names: [String]) {
        folder.remove(names)
        state.withLock { $0.damaged += 1 }
    }

    func write(_ file: DiskCacheFile, to name: String) throws {
        let data = try file.data
        do throws(FileFailure) {
            let partial = try PartialFile(in: folder.url)
            try partial.write(data)
            try partial.move(to: URL(filePath: folder.path(name)), staysPrivate: true)
        } catch {
            throw DiskCacheFolder.failure(error)
        }
    }

    /// Notes that this process wrote a body, so that its hash need not be compared.
    func noteVerified(_ name: String) {
        state.withLock { state in
            if state.verified.count >= Self.rememberedFiles { state.verified = [] }
            state.verified.insert(name)
        }
    }

    private func touch(_ name: String) {
        let now = Date()
        let isDue = state.withLock { state in
            if let last = state.touched[name], now.timeIntervalSince(last) < Self.touchInterval { return false }
            if state.touched.count >= Self.rememberedFiles { state.touched = [:] }
            state.touched[name] = now
            return true
        }
        if isDue { folder.touch(name) }
    }

    /// Returns the body of an entry. A body with another hash is removed with its entry.
    private func body(of file: DiskCacheFile) throws -> ResponseBody? {
        guard let name = file.header.body else { return ResponseBody(file.body) }
        guard DiskCacheFolder.isBody(name), let open = try? OpenFile(folder.path(name), O_RDONLY | O_NONBLOCK) else {
            return nil
        }
        if !state.withLock({ $0.verified.contains(name) }) {
            guard try DiskCacheBody.hash(of: open) == file.header.bodyHash else {
                discard([name])
                return nil
            }
            noteVerified(name)
        }
        return ResponseBody(DiskCacheBody.stream(open, size: file.header.size))
    }

    /// Reserves bytes for a body. Removes the oldest entries if the store would be full.
    ///
    /// Other processes may add files at the same time. The entries are counted again each time this process has added
    /// a sixteenth of the capacity, and an eighth of the capacity stays free for the others.
    func reserve(_ count: Int64) {
        let limit = capacity - capacity / 8
        let needsScan = state.withLock { state -> Bool in
            state.added += count
            state.bytes = state.bytes.map { $0 + count }
            return state.bytes.map { $0 > limit } ?? true || state.added > capacity / 16
        }
        guard needsScan else { return }
        let items = folder.scan().sorted { $0.used < $1.used }
        var bytes = items.reduce(0) { $0 + $1.size } + count
        var removed: [String] = []
        // Some space stays free, so that the folder is not scanned again at once.
        let target = bytes > limit ? limit - capacity / 8 : limit
        for item in items where bytes > target {
            removed += [item.name] + item.bodies
            bytes -= item.size
        }
        folder.remove(removed)
        let total = bytes
        state.withLock { ($0.bytes, $0.added) = (total, 0) }
    }

    /// Returns reserved bytes that were not written.
    func release(_ count: Int64) {
        state.withLock { state in state.bytes = state.bytes.map { $0 - count } }
    }
}
