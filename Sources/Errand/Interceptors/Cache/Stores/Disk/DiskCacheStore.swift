import ErrandSupport

/// A store of responses in a folder. Several processes can share it.
///
/// ```swift
/// let store = try DiskCacheStore(folder: .cachesDirectory.appending(path: "com.example.gallery"))
/// let session = PlatformSession.platform.cached(in: store)
/// ```
/// Only the current user has access to the folder and its files. The files contain complete responses without encryption,
/// which can be personal data. Choose a folder that is not backed up or synchronized.
///
/// An entry appears in the folder when it is complete. Unfinished files of a process that was killed are never used, and
/// are removed later. A damaged file is removed and never used. When the store is full, the least recently used entries are removed. Bodies of
/// more than 64 kB are streamed from the disk. Changes of an entry are locked for other processes with `flock`, except on
/// file systems without it.
public final class DiskCacheStore: CacheStore {
    /// The default capacity: 100 MB.
    public static let defaultCapacity: Int64 = 100 << 20

    struct State: Sendable {
        /// The body files with a hash that this process has verified.
        var verified: Set<String> = []
        /// The times at which this process last updated the modification dates of its files.
        var touched: [String: Date] = [:]
        var damaged = 0
        /// The number of calls that removed the entries of several keys.
        var removals = 0
    }

    private static let rememberedFiles = 10_000
    private static let touchInterval: TimeInterval = 60

    let folder: DiskCacheFolder
    let entryLimit: Int64
    let space: DiskCacheSpace
    private let lockTimeout: Duration
    private let state = Locked(State())

    /// Opens a folder, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder. It should contain nothing else.
    ///   - capacity: The maximum total size in bytes of all files, which count as blocks of 4 kB. The default is 100 MB. If
    ///     several processes share the folder, pass the same value in each. Each counts the files of the others from time
    ///     to time, so with more than two, the total can exceed it by one body for each additional process.
    ///   - entryLimit: The maximum size in bytes of a body. The default is an eighth of the capacity.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the folder can't be created.
    public convenience init(
        folder: URL, capacity: Int64 = DiskCacheStore.defaultCapacity, entryLimit: Int64? = nil
    ) throws(ServiceError) {
        try self.init(folder: folder, capacity: capacity, entryLimit: entryLimit, lockTimeout: .milliseconds(500))
    }

    /// Opens a folder. `lockTimeout` is the maximum duration of waiting for another task or process that changes the
    /// same key.
    package init(
        folder: URL, capacity: Int64, entryLimit: Int64?, lockTimeout: Duration
    ) throws(ServiceError) {
        let capacity = max(0, capacity)
        self.folder = try DiskCacheFolder(folder)
        self.lockTimeout = lockTimeout
        space = DiskCacheSpace(self.folder, capacity: capacity)
        self.entryLimit = max(0, min(entryLimit ?? capacity / 8, capacity / 2))
    }

    /// The number of damaged files that were removed since this store was opened.
    public var damagedEntries: Int { state.withLock { $0.damaged } }

    /// Returns the complete entries of a key, the newest first.
    public func entries(for key: CacheKey) async throws -> [CacheEntry] {
        let digest = key.digest
        var entries: [CacheEntry] = []
        for slot in 0..<DiskCacheFolder.slots {
            let name = DiskCacheFolder.name(digest, slot)
            guard let file = try file(name) else { continue }
            // An entry of another key was renamed by another program.
            guard file.header.key == digest, file.header.url == key.url else {
                discard([name])
                continue
            }
            touch(name)
            if let entry = try await body(of: file, name).flatMap({ file.entry($0) }) { entries.append(entry) }
            // No other slot is in use.
            if slot == 0, file.header.selection.isEmpty { break }
        }
        return entries.sorted { $0.responseDate > $1.responseDate }
    }

    /// Starts to store a response.
    public func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? {
        entryLimit > 0 ? DiskCacheWriter(store: self, entry: entry, key: key, removals: removals) : nil
    }

    /// Replaces the headers and times of an entry.
    public func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) async throws {
        let digest = key.digest
        let body = old.size.map { $0 <= DiskCacheFile.inlineLimit ? $0 : 0 } ?? 0
        let size = try await reserve(
            Int64(DiskCacheFile(entry, key, size: 0, body: Data()).data.count) + body + DiskCacheFile.bodyReference)
        defer { space.settle(size) }
        let removals = removals
        let lock = try await lock(digest)
        defer { lock?.unlock() }
        for (name, file) in try slots(digest) {
            guard let file, file.entry(ResponseBody())?.isSame(as: old) == true else { continue }
            var new = DiskCacheFile(entry, key, size: file.header.size, body: file.body)
            (new.header.body, new.header.bodyHash) = (file.header.body, file.header.bodyHash)
            try write(new, to: name)
            // All entries were removed without the lock in the meantime.
            if removals != self.removals { folder.remove([name]) }
        }
    }

    /// Removes the entries of a key.
    public func remove(_ key: CacheKey) async throws {
        let digest = key.digest
        // Without the lock, another process could only store a response again that it is writing.
        let lock = try? await lock(digest)
        defer { lock?.unlock() }
        for slot in 0..<DiskCacheFolder.slots {
            let name = DiskCacheFolder.name(digest, slot)
            // An entry that cannot be read is removed, too.
            let body = (try? file(name))?.flatMap(\.header.body)
            folder.remove([name] + [body].compactMap(\.self))
        }
    }

    /// Removes the entries of all URLs that satisfy a condition. Responses that are being written by this process are
    /// discarded.
    public func remove(matching condition: @Sendable (URL) -> Bool) async throws {
        state.withLock { $0.removals += 1 }
        guard let contents = folder.scan() else { throw DiskCacheFolder.failure(FileFailure(EACCES)) }
        // A process that was stopped can hold a lock for a long time, so each is waited for only once.
        var unavailable: Set<Substring> = []
        for item in contents.items {
            let prefix = item.name.prefix(2)
            let lock = unavailable.contains(prefix) ? nil : try? await lock(item.name)
            if lock == nil { unavailable.insert(prefix) }
            defer { lock?.unlock() }
            // An entry that cannot be read is removed, too.
            let url = (try? file(item.name)).flatMap { URL(string: $0?.header.url ?? "") }
            if url.map(condition) ?? true { folder.remove([item.name] + item.bodies) }
        }
        space.invalidate()
    }

    /// The number of entries and their total size.
    public var usage: CacheUsage {
        let contents = folder.scan()
        return CacheUsage(entries: contents?.items.count ?? 0, bytes: contents?.bytes ?? 0)
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

    /// Locks a key for changes by other tasks and processes. A process that is killed releases its locks.
    ///
    /// - Returns: The lock, or `nil` if the file system has no locks. Then two processes can replace each other's entry.
    /// - Throws: ``ServiceError`` if the lock is not available within `lockTimeout`.
    func lock(_ digest: String) async throws -> OpenFile? {
        let file = try folder.lockFile(digest)
        var (pause, waited) = (Duration.milliseconds(1), Duration.zero)
        while let number = file.failureToLock() {
            guard number == EWOULDBLOCK else { return nil }
            guard waited < lockTimeout else {
                throw ServiceError(
                    .file,
                    "expected the lock of a cache entry within \(lockTimeout), found it held by another task or process"
                )
            }
            try await Task.sleep(for: pause)
            waited += pause
            pause = min(pause * 2, .milliseconds(50))
        }
        return file
    }

    /// Returns the names and the files of the slots of a key.
    func slots(_ digest: String) throws -> [(name: String, file: DiskCacheFile?)] {
        try (0..<DiskCacheFolder.slots).map { DiskCacheFolder.name(digest, $0) }.map { (name: $0, file: try file($0)) }
    }

    func discard(_ names: [String]) {
        folder.remove(names)
        state.withLock { $0.damaged += 1 }
    }

    /// The number of calls that removed the entries of several keys.
    var removals: Int { state.withLock { $0.removals } }

    /// Reserves bytes for an entry file, and returns their number. A scan of the folder can take long, so no lock is held.
    func reserve(_ count: Int64) async throws -> Int64 {
        let size = DiskCacheFolder.size(count)
        guard await space.reserve(size) else {
            // Opening a file shows whether the folder can be used.
            _ = try folder.lockFile("00")
            throw ServiceError(.file, "the cache has no space for an entry of \(size) bytes")
        }
        return size
    }

    /// Writes an entry file, and moves a large body to the name in the header of the entry.
    func write(_ file: DiskCacheFile, to name: String, body: PartialFile? = nil) throws {
        let data = try file.data
        let partial = try folder.makePartialFile()
        do throws(FileFailure) {
            try partial.write(data)
            if let body, let bodyName = file.header.body { try move(body, to: bodyName) }
            try move(partial, to: name)
        } catch {
            if body != nil { folder.remove([file.header.body].compactMap(\.self)) }
            throw DiskCacheFolder.failure(error)
        }
    }

    private func move(_ file: PartialFile, to name: String) throws(FileFailure) {
        try file.move(to: URL(filePath: folder.path(name)), staysPrivate: true)
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

    /// Returns the body of an entry. An entry is removed if its body is missing or has another hash.
    private func body(of file: DiskCacheFile, _ entry: String) async throws -> ResponseBody? {
        guard let name = file.header.body else { return ResponseBody(file.body) }
        let open: OpenFile
        do throws(FileFailure) {
            open = try OpenFile(folder.path(name), O_RDONLY | O_NONBLOCK)
        } catch {
            guard error.number == ENOENT else { throw DiskCacheFolder.failure(error) }
            // Another task can have replaced the entry in the meantime.
            if try self.file(entry)?.header.body == name { discard([entry]) }
            return nil
        }
        if !state.withLock({ $0.verified.contains(name) }) {
            guard try await DiskCacheBody.hash(of: open) == file.header.bodyHash else {
                discard([entry, name])
                return nil
            }
            noteVerified(name)
        }
        return ResponseBody(DiskCacheBody.stream(open, size: file.header.size))
    }
}
