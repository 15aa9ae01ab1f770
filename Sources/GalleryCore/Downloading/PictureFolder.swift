import Errand
import ErrandSupport

/// A folder of pictures. A file with a final name is a complete picture.
///
/// A picture is written to a file without a name, which gets its name when it is complete. If the system does not
/// support this, or if an existing file is replaced, the picture is written to a hidden file in the same folder, which
/// is then renamed. If the write or the rename fails, the hidden file is removed.
///
/// Files are not synchronized to the disk. If the machine stops during a run, a file may be truncated. The next run
/// fetches it again if the server states the size. Hidden files of a killed run are removed after a day.
struct PictureFolder: Sendable {
    let url: URL
    /// The path of the folder. Building a path is faster than building a URL, and each picture has five candidate
    /// paths.
    private let path: String
    /// Whether the folder contained only hidden files at the start. In this case, no lookups are necessary.
    private var isFresh = false
    private var hasUnnamedFiles = false

    init(url: URL) {
        self.url = url
        path = url.path
    }

    /// Creates the folder if it does not exist, and checks that it is writable.
    mutating func prepare() throws(DownloadError) {
        try make(url)
        guard isFolder(url) else { throw refusal("it is not a folder") }
        guard access(url.path, W_OK | X_OK) == 0 else { throw refusal(SystemFailure.words(errno)) }
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        isFresh = names?.allSatisfy { $0.hasPrefix(".") } ?? false
        hasUnnamedFiles = UnnamedFile.works(in: path, trying: "\(path)/\(HiddenName.make(for: "trial"))")
        removeLeftovers(among: names ?? [], before: Date(timeIntervalSinceNow: -24 * 60 * 60))
    }

    /// Removes the hidden files of killed runs. Newer files may belong to another run that is still active.
    private func removeLeftovers(among names: [String], before limit: Date) {
        let files = FileManager.default
        for name in names where HiddenName.matches(name) {
            let path = url.appending(path: name, directoryHint: .notDirectory).path
            guard let facts = try? files.attributesOfItem(atPath: path),
                facts[.type] as? FileAttributeType == .typeRegular,
                let date = facts[.modificationDate] as? Date, date < limit
            else { continue }
            unlink(path)
        }
    }

    /// Returns the existing files with a name, one per format. Empty files are ignored.
    func existing(_ name: FileName) -> [PictureFile] {
        guard !isFresh else { return [] }
        return PictureFormat.allCases.compactMap { format in
            guard let size = fileSize(path(of: name, format)), size > 0 else { return nil }
            return PictureFile(file(name, format), in: url, bytes: size)
        }
    }

    /// Writes a picture. Replaces an existing file.
    ///
    /// - Throws: ``DownloadError`` with ``DownloadError/Code/disk``, or `CancellationError`.
    func store(_ data: Data, as name: FileName, _ format: PictureFormat) throws -> PictureFile {
        let final = path(of: name, format)
        do {
            if try !storeUnnamed(data, final) { try storeHidden(data, as: name, final) }
        } catch let failure as SystemFailure {
            throw DownloadError(
                .disk, "can't write \(final.singleLine()): \(failure)", kind: "can't write the picture: \(failure)")
        }
        return PictureFile(file(name, format), in: url, bytes: data.count)
    }

    /// Writes the picture to an unnamed file and names it. Returns `false` if the name is taken or unnamed files are
    /// not supported.
    private func storeUnnamed(_ data: Data, _ final: String) throws -> Bool {
        guard hasUnnamedFiles, isFresh || !isTaken(final), let descriptor = UnnamedFile.open(in: path) else {
            return false
        }
        // Closing a file without a name deletes it.
        defer { close(descriptor) }
        try write(data, to: descriptor)
        // A full disk may be reported only when a descriptor is closed, and this one is still needed.
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { throw SystemFailure(number: errno) }
        try Task.checkCancellation()
        return UnnamedFile.name(descriptor, final)
    }

    private func storeHidden(_ data: Data, as name: FileName, _ final: String) throws {
        let hidden = "\(path)/\(HiddenName.make(for: name))"
        let descriptor = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemFailure(number: errno) }
        do {
            let written = Result { try write(data, to: descriptor) }
            // A full disk may be reported only here.
            let isClosed = close(descriptor) == 0
            try written.get()
            guard isClosed else { throw SystemFailure(number: errno) }
            try Task.checkCancellation()
            guard rename(hidden, final) == 0 else { throw SystemFailure(number: errno) }
        } catch {
            unlink(hidden)
            throw error
        }
    }

    private func file(_ name: FileName, _ format: PictureFormat) -> String { "\(name).\(format.fileExtension)" }

    private func path(of name: FileName, _ format: PictureFormat) -> String {
        "\(path)/\(file(name, format))"
    }

    private func isFolder(_ url: URL) -> Bool {
        var answer: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &answer) && answer.boolValue
    }

    private func isTaken(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    /// Returns the size of a regular file, or `nil` if the path is not one.
    private func fileSize(_ path: String) -> Int? {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG ? Int(facts.st_size) : nil
    }

    /// Checks for cancellation between chunks, so that a large picture on a slow disk does not delay it.
    private func write(_ data: Data, to descriptor: Int32) throws {
        var rest = data
        while !rest.isEmpty {
            try Task.checkCancellation()
            let portion = rest.prefix(1 << 20)
            let count = portion.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                throw SystemFailure(number: count == 0 ? EIO : errno)
            }
        }
    }

    private func refusal(_ reason: String) -> DownloadError {
        DownloadError(.disk, "can't write to the folder \(url.path.singleLine()): \(reason)")
    }

    private func make(_ folder: URL) throws(DownloadError) {
        if mkdir(folder.path, 0o777) == 0 || errno == EEXIST { return }
        let failure = errno
        let parent = folder.deletingLastPathComponent()
        guard failure == ENOENT, parent.path.utf8.count < folder.path.utf8.count else {
            throw refusal(SystemFailure.words(failure))
        }
        try make(parent)
        guard mkdir(folder.path, 0o777) == 0 || errno == EEXIST else { throw refusal(SystemFailure.words(errno)) }
    }
}

/// The name of the temporary file of a picture: `.name.UUID.part`.
private enum HiddenName {
    static func make(for name: some CustomStringConvertible) -> String {
        ".\(name).\(UUID().uuidString).part"
    }

    /// Whether a name has the format of a temporary file of this program.
    static func matches(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].isEmpty, parts.last == "part" else { return false }
        return UUID(uuidString: String(parts[parts.count - 2])) != nil
    }
}

/// A failed system call.
struct SystemFailure: Error, CustomStringConvertible {
    let number: Int32

    var description: String { Self.words(number) }

    /// Returns a description of common disk failures.
    static func words(_ number: Int32) -> String {
        switch number {
        case ENOSPC: "the disk is full"
        case EDQUOT: "the disk quota is exceeded"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the disk is read-only"
        case ENOENT: "the folder does not exist"
        case ENOTDIR: "a part of the path is not a folder"
        case EISDIR: "a folder with this name exists"
        case ENAMETOOLONG: "the path is too long"
        case EMFILE, ENFILE: "too many files are open"
        case EFBIG: "the file would be too large"
        case EIO: "an I/O error occurred"
        default: "system error \(number)"
        }
    }
}
