import Errand
import ErrandSupport

/// A folder of pictures. A file with a final name is a complete picture.
///
/// The first bytes of a picture select the extension of its file. Therefore a picture is downloaded to a hidden file in
/// the same folder, which is then checked and renamed. Its name is the same in each run, so that the next run continues
/// its partial file.
///
/// Files are not synchronized to the disk. If the machine stops during a run, a file may be truncated. The next run
/// fetches it again if the server states the size.
struct PictureFolder: Sendable {
    /// The end of the name of a hidden file with a complete body that is not checked.
    private static let uncheckedSuffix = ".gallery-part"
    /// Hidden files of killed runs are removed after this time in seconds: 7 days. Newer files can be continued.
    private static let lifetime: TimeInterval = 7 * 24 * 60 * 60

    let url: URL
    /// The absolute URL of the folder. Foundation builds the path of a relative URL each time, and resolves `..` in it
    /// before symbolic links.
    private let absolute: URL
    /// The path of the folder. Building a path is faster than building a URL, and each picture has five candidate
    /// paths.
    private let path: String
    /// Whether the folder contained only hidden files at the start. In this case, no lookups are necessary.
    private var isFresh = false

    init(url: URL) {
        self.url = url
        path = url.path
        let current = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        absolute = URL(filePath: current + path, directoryHint: .isDirectory)
    }

    /// Creates the folder if it does not exist, and checks that it is writable.
    mutating func prepare() throws(DownloadError) {
        try make(url)
        guard isFolder(url) else { throw refusal("it is not a folder") }
        guard access(url.path, W_OK | X_OK) == 0 else { throw refusal(SystemFailure.words(errno)) }
        // A folder that can be written may not be readable.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else { return }
        isFresh = names.allSatisfy { $0.hasPrefix(".") }
        let hidden = names.filter { $0.hasPrefix(".") }
        let limit = Date(timeIntervalSinceNow: -Self.lifetime)
        DownloadFiles.removeLeftovers(among: hidden, in: url, before: limit)
        removeUnchecked(among: hidden, before: limit)
    }

    /// Removes the complete files that a killed run has not checked. A newer file may belong to a run that is active.
    private func removeUnchecked(among names: [String], before limit: Date) {
        for name in names where name.hasSuffix(Self.uncheckedSuffix) {
            let path = "\(path)/\(name)"
            guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
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

    /// The URL of the hidden file that a picture is downloaded to.
    func unchecked(_ name: FileName) -> URL {
        absolute.appending(path: ".\(name)\(Self.uncheckedSuffix)", directoryHint: .notDirectory)
    }

    /// Gives a downloaded file the final name of its picture, or removes it if it is not a picture or cannot be renamed.
    /// Replaces an existing file.
    ///
    /// - Throws: ``DownloadError`` with ``DownloadError/Code/disk`` or ``DownloadError/Code/notAPicture``.
    func name(_ file: DownloadedFile, as name: FileName) throws(DownloadError) -> PictureFile {
        let hidden = "\(path)/.\(name)\(Self.uncheckedSuffix)"
        do throws(DownloadError) {
            let format = try format(of: file, at: hidden)
            let final = path(of: name, format)
            guard rename(hidden, final) == 0 else { throw Self.failure(to: "write", final, errno) }
            return PictureFile(self.file(name, format), in: url, bytes: Int(clamping: file.size))
        } catch {
            unlink(hidden)
            throw error
        }
    }

    /// Returns the format of a downloaded file.
    private func format(of file: DownloadedFile, at path: String) throws(DownloadError) -> PictureFormat {
        guard file.size > 0 else { throw DownloadError(.notAPicture, "the server sent an empty picture") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(to: "read", path, errno) }
        defer { close(descriptor) }
        var start = Data(count: PictureFormat.prefixLength)
        let count = start.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw Self.failure(to: "read", path, errno) }
        if let format = PictureFormat(of: start.prefix(count)) { return format }
        let head = file.head
        let type = head.headers["Content-Type"].map { "data of type \(head.printable($0, limit: 1_024))" }
        throw DownloadError(
            .notAPicture, "expected a PNG, JPEG, WebP, GIF or AVIF picture, received \(type ?? "unknown data")",
            kind: "the response is not a supported picture")
    }

    private static func failure(to action: String, _ path: String, _ number: Int32) -> DownloadError {
        let reason = SystemFailure.words(number)
        return DownloadError(
            .disk, "can't \(action) \(path.singleLine()): \(reason)", kind: "can't \(action) the picture: \(reason)")
    }

    private func file(_ name: FileName, _ format: PictureFormat) -> String { "\(name).\(format.fileExtension)" }

    private func path(of name: FileName, _ format: PictureFormat) -> String {
        "\(path)/\(file(name, format))"
    }

    private func isFolder(_ url: URL) -> Bool {
        var answer: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &answer) && answer.boolValue
    }

    /// Returns the size of a regular file, or `nil` if the path is not one.
    private func fileSize(_ path: String) -> Int? {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG ? Int(facts.st_size) : nil
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

/// The descriptions of failed system calls.
enum SystemFailure {
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
