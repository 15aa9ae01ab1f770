import ErrandSupport

/// The folder of a ``DiskCacheStore``, with the names and sizes of its files.
///
/// A key has eight slots, `<digest>.<slot>.entry`. A large body is in `<digest>.<slot>.<random>.body`. Changes of a key
/// lock `<first two digits>.lock`. Files with other names belong to other programs and are ignored.
struct DiskCacheFolder: Sendable {
    /// The number of variants of a key.
    static let slots = 8
    /// Unfinished files are not removed before this age, because a file exists for a short time before it is locked: 1 s.
    private static let minimumAge: TimeInterval = 1
    /// Unfinished files are removed after an hour if the file system has no locks.
    private static let abandonedAge: TimeInterval = 3_600

    /// The files of the folder.
    struct Contents {
        var items: [Item] = []
        /// The size of the files that belong to no entry, such as those that are being written.
        var unfinished: Int64 = 0
        /// The size of all files.
        var bytes: Int64 { items.reduce(unfinished) { $0 + $1.size } }
    }

    /// An entry file with its body.
    struct Item {
        let name: String
        var bodies: [String] = []
        var size: Int64
        let used: Date
    }

    let url: URL

    /// Creates the folder, if it does not exist. Only the current user has access to it.
    init(_ url: URL) throws(ServiceError) {
        guard url.isFileURL else { throw ServiceError(.file, "expected a file URL for the folder of the cache") }
        self.url = url
        try create()
        guard chmod(path, 0o700) == 0 else { throw Self.failure(FileFailure(errno)) }
    }

    private func create() throws(ServiceError) {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(wrapping: error, as: .file, "the folder of the cache can't be created")
        }
    }

    /// Creates a file. If the folder was removed in the meantime, creates it again.
    private func creating<File>(_ open: () throws(FileFailure) -> File) throws(ServiceError) -> File {
        do throws(FileFailure) {
            return try open()
        } catch {
            guard error.number == ENOENT else { throw Self.failure(error) }
        }
        try create()
        do throws(FileFailure) { return try open() } catch { throw Self.failure(error) }
    }

    /// Removes an entry with its body. Returns `false` if another task has locked its key or has used it since the scan.
    func evict(_ item: Item) -> Bool {
        guard let lock = try? lockFile(item.name), lock.failureToLock() != EWOULDBLOCK,
            facts(item.name)?.date == item.used
        else { return false }
        remove([item.name] + item.bodies)
        return true
    }

    /// Opens the lock file of a key, or of one of its files.
    func lockFile(_ digest: String) throws(ServiceError) -> OpenFile {
        try creating { () throws(FileFailure) in try OpenFile(path("\(digest.prefix(2)).lock"), O_RDWR | O_CREAT) }
    }

    /// Creates a file for the bytes of an entry.
    func makePartialFile() throws(ServiceError) -> PartialFile {
        try creating { () throws(FileFailure) in try PartialFile(in: url) }
    }

    private var path: String { url.path(percentEncoded: false) }

    static func failure(_ failure: FileFailure) -> ServiceError {
        ServiceError(.file, "the cache can't be used: \(failure)", underlying: failure.cause)
    }

    func path(_ name: String) -> String {
        url.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }

    static func name(_ digest: String, _ slot: Int) -> String { "\(digest).\(slot).entry" }

    /// Whether a text is the name of a body file.
    static func isBody(_ name: String) -> Bool { entry(ofBody: name) != nil }

    /// Whether a text is the name of an entry file.
    private static func isEntry(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].utf8.count == 64 && parts[0].allSatisfy(\.isHexDigit)
            && Int(parts[1]).map((0..<slots).contains) == true && parts[2] == "entry"
    }

    /// The name of the entry that a body belongs to, or `nil` for the name of another program.
    private static func entry(ofBody name: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3] == "body", UUID(uuidString: String(parts[2])) != nil else { return nil }
        let entry = "\(parts[0]).\(parts[1]).entry"
        return isEntry(entry) ? entry : nil
    }

    /// Whether a text is the name of a file of a ``PartialFile``.
    private static func isPartial(_ name: String) -> Bool {
        name.hasPrefix(".errand-") && name.hasSuffix(".part")
            && UUID(uuidString: String(name.dropFirst(".errand-".count).dropLast(".part".count))) != nil
    }

    /// Returns the contents of an entry file, or `nil` if it does not exist.
    func read(_ name: String) throws(FileFailure) -> Data? {
        let file: OpenFile
        do {
            file = try OpenFile(path(name), O_RDONLY | O_NONBLOCK)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
        var facts = stat()
        guard fstat(file.descriptor, &facts) == 0 else { throw FileFailure(errno) }
        let size = Int(clamping: facts.st_size)
        return try file.read(at: 0, count: min(max(0, size), DiskCacheFile.limit + 1))
    }

    /// Notes that a file was used, for other processes and later runs.
    func touch(_ name: String) {
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path(name))
    }

    /// Removes files. A missing one is ignored.
    func remove(_ names: [String]) {
        for name in names { unlink(path(name)) }
    }

    /// The size of a file in blocks of 4 kB, as most file systems store it.
    static func size(_ count: Int64) -> Int64 { (count + 4_095) & ~4_095 }

    /// Returns the sizes of all files, and removes unfinished files of writers that no longer exist. Returns `nil` if
    /// the folder cannot be read.
    func scan() -> Contents? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            // A folder that was removed is created again for the next entry.
            var facts = stat()
            return lstat(path, &facts) != 0 && errno == ENOENT ? Contents() : nil
        }
        var items: [String: Item] = [:]
        for name in names where Self.isEntry(name) {
            guard let facts = facts(name) else { continue }
            items[name] = Item(name: name, size: facts.size, used: facts.date)
        }
        var unfinished: Int64 = 0
        for name in names {
            let entry = Self.entry(ofBody: name)
            guard entry != nil || Self.isPartial(name), let facts = facts(name) else { continue }
            if let entry, items[entry] != nil {
                items[entry]?.bodies.append(name)
                items[entry]?.size += facts.size
            } else if isAbandoned(name, since: facts.date) {
                unlink(path(name))
            } else {
                unfinished += facts.size
            }
        }
        for item in items.values where item.bodies.count > 1 { items[item.name] = withoutOldBodies(item) }
        return Contents(items: Array(items.values), unfinished: unfinished)
    }

    /// Removes the bodies that an entry no longer refers to, because their writer was killed.
    private func withoutOldBodies(_ item: Item) -> Item {
        guard let lock = try? lockFile(item.name), lock.failureToLock() == nil,
            let data = try? read(item.name), let file = DiskCacheFile(data)
        else { return item }
        var item = item
        for body in item.bodies where body != file.header.body {
            item.size -= facts(body)?.size ?? 0
            unlink(path(body))
        }
        item.bodies = [file.header.body].compactMap(\.self)
        return item
    }

    /// Whether an unfinished file belongs to no writer. A partial file is locked by its writer, and a body without an
    /// entry by a writer that has locked its key.
    private func isAbandoned(_ name: String, since date: Date) -> Bool {
        let age = -date.timeIntervalSinceNow
        guard age > Self.minimumAge else { return false }
        let entry = Self.entry(ofBody: name)
        let file = entry != nil ? try? lockFile(name) : try? OpenFile(path(name), O_RDONLY | O_NONBLOCK)
        guard let file else { return false }
        if let number = file.failureToLock(), number == EWOULDBLOCK || age < Self.abandonedAge { return false }
        return entry.map { facts($0) == nil } ?? true
    }

    private func facts(_ name: String) -> (size: Int64, date: Date)? {
        var facts = stat()
        guard lstat(path(name), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Self.size(Int64(facts.st_size)), facts.modificationDate)
    }
}
