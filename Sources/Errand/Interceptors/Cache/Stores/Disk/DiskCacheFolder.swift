import ErrandSupport

/// The folder of a ``DiskCacheStore``, with the names and sizes of its files.
///
/// A key has eight slots, `<digest>.<slot>.entry`. A large body is in `<digest>.<slot>.<random>.body`. Changes of a key
/// lock `<first two digits>.lock`. Files with other names belong to other programs and are ignored.
struct DiskCacheFolder: Sendable {
    /// The number of variants of a key.
    static let slots = 8
    /// Unfinished files are not removed before this age, because a file exists for a short time before it is locked.
    private static let minimumAge: TimeInterval = 10
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
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(wrapping: error, as: .file, "the folder of the cache can't be created")
        }
        guard chmod(path, 0o700) == 0 else { throw Self.failure(FileFailure(errno)) }
    }

    private var path: String { url.path(percentEncoded: false) }

    static func failure(_ failure: FileFailure) -> ServiceError {
        ServiceError(.file, "the cache can't be used: \(failure)", underlying: failure.cause)
    }

    func path(_ name: String) -> String {
        url.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }

    static func name(_ digest: String, _ slot: Int) -> String { "\(digest).\(slot).entry" }

    /// Whether a text is the name of a body file, and not a path.
    static func isBody(_ name: String) -> Bool {
        name.hasSuffix(".body") && !name.utf8.contains(UInt8(ascii: "/")) && name.utf8.first != UInt8(ascii: ".")
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

    /// Returns the sizes of all files, and removes unfinished files of writers that no longer exist.
    func scan() -> Contents {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var items: [String: Item] = [:]
        for name in names where name.hasSuffix(".entry") {
            guard let facts = facts(name) else { continue }
            items[name] = Item(name: name, size: facts.size, used: facts.date)
        }
        var unfinished: Int64 = 0
        for name in names where name.hasSuffix(".body") || name.hasPrefix(".errand-") {
            guard let facts = facts(name) else { continue }
            if let entry = Self.entry(ofBody: name), items[entry] != nil {
                items[entry]?.bodies.append(name)
                items[entry]?.size += facts.size
            } else if isAbandoned(name, since: facts.date) {
                unlink(path(name))
            } else {
                unfinished += facts.size
            }
        }
        return Contents(items: Array(items.values), unfinished: unfinished)
    }

    /// Opens the lock file of a key.
    func lockFile(_ digest: String) throws(FileFailure) -> OpenFile {
        try OpenFile(path("\(digest.prefix(2)).lock"), O_RDWR | O_CREAT)
    }

    /// Whether an unfinished file belongs to no writer. A partial file is locked by its writer, and a body without an
    /// entry by a writer that has locked its key.
    private func isAbandoned(_ name: String, since date: Date) -> Bool {
        let age = -date.timeIntervalSinceNow
        guard age > Self.minimumAge else { return false }
        if age > Self.abandonedAge { return true }
        guard !name.hasSuffix(".body") else {
            guard let file = try? lockFile(name), file.failureToLock() == nil, let entry = Self.entry(ofBody: name)
            else { return false }
            return facts(entry) == nil
        }
        guard let file = try? OpenFile(path(name), O_RDONLY | O_NONBLOCK) else { return false }
        return file.failureToLock() == nil
    }

    /// The name of the entry that a body belongs to, or `nil` for the name of another program.
    private static func entry(ofBody name: String) -> String? {
        let parts = name.split(separator: ".")
        guard name.hasSuffix(".body"), parts.count == 4, parts[0].utf8.count == 64 else { return nil }
        return "\(parts[0]).\(parts[1]).entry"
    }

    private func facts(_ name: String) -> (size: Int64, date: Date)? {
        var facts = stat()
        guard lstat(path(name), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Self.size(Int64(facts.st_size)), facts.modificationDate)
    }
}
