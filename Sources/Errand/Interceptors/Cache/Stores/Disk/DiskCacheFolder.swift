import ErrandSupport

/// The folder of a ``DiskCacheStore``, with the names and sizes of its files.
///
/// A key has eight slots, `<digest>.<slot>.entry`. A large body is in `<digest>.<slot>.<random>.body`. Files with other
/// names belong to other programs and are ignored.
struct DiskCacheFolder: Sendable {
    /// The number of variants of a key.
    static let slots = 8
    /// Files of a writer that was killed are removed after this time: an hour.
    private static let abandonedAge: TimeInterval = 3_600

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

    /// Returns the entries with their bodies, and removes the files that belong to no entry.
    func scan() -> [Item] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var items: [String: Item] = [:]
        for name in names where name.hasSuffix(".entry") {
            guard let facts = facts(name) else { continue }
            items[name] = Item(name: name, size: facts.size, used: facts.date)
        }
        for name in names where name.hasSuffix(".body") || name.hasSuffix(".part") {
            guard let facts = facts(name) else { continue }
            let parts = name.split(separator: ".")
            if name.hasSuffix(".body"), parts.count == 4, items["\(parts[0]).\(parts[1]).entry"] != nil {
                items["\(parts[0]).\(parts[1]).entry"]?.bodies.append(name)
                items["\(parts[0]).\(parts[1]).entry"]?.size += facts.size
            } else if name.hasSuffix(".body") || name.hasPrefix(".errand-"),
                facts.date < Date() - Self.abandonedAge
            {
                unlink(path(name))
            }
        }
        return Array(items.values)
    }

    private func facts(_ name: String) -> (size: Int64, date: Date)? {
        let values = try? FileManager.default.attributesOfItem(atPath: path(name))
        guard let values, values[.type] as? FileAttributeType == .typeRegular,
            let date = values[.modificationDate] as? Date, let size = values[.size] as? NSNumber
        else { return nil }
        return (size.int64Value, date)
    }
}
