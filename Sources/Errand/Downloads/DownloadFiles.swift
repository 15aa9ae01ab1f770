import ErrandSupport

/// The partial file of a download and the record next to it. Both are hidden, and only the current user can read them.
///
/// The partial file is locked as long as this value exists. A killed process releases the lock. At any moment, the
/// record claims at most the bytes that the partial file has:
/// - Before the first byte of a new representation, the file is emptied and the record of the old one is removed.
/// - The record of the new representation is written after some of its bytes.
/// - The record of a download in several parts is written after its bytes.
/// - A record is replaced atomically.
///
/// Nothing is synchronized to the disk, so this does not hold after a power failure.
package final class DownloadFiles: Sendable {
    private static let recordLimit = 65_536

    private let folder: URL
    private let partial: String
    private let side: String
    /// Called after each change of a file.
    private let observe: @Sendable () -> Void
    private let file: OpenFile
    /// The default permissions of new files if this value has created the partial file.
    private let usualMode: mode_t?
    /// Whether there may be a record.
    private let mayHaveRecord = Locked(true)
    private var descriptor: Int32 { file.descriptor }

    /// Opens the partial file of a download, or creates it.
    ///
    /// - Parameters:
    ///   - folder: The folder of the final file.
    ///   - name: The file name of the destination, or `nil` if the server chooses it.
    ///   - identity: The hash of the identity of the resource.
    ///   - observe: Called after each change of a file. A test copies the files then, as a killed process leaves them.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``, also if another download has locked the file.
    package init(
        in folder: URL, name: String?, identity: String, observe: @escaping @Sendable () -> Void = {}
    ) throws(ServiceError) {
        // The path of the folder is not a part of the key, because it may change, such as that of an app's container.
        let key = SHA256.hash("\(identity) \(name ?? "/")".utf8).prefix(12).hexadecimal
        self.folder = folder
        self.observe = observe
        let start = folder.appending(path: ".errand-\(key)", directoryHint: .notDirectory).path(percentEncoded: false)
        // The path is empty if it is not UTF-8.
        guard !start.isEmpty else { throw .file(FileFailure(ENOENT)) }
        (partial, side) = ("\(start).download", "\(start).json")
        do {
            (file, usualMode) = try Self.open(partial)
        } catch {
            throw .file(error)
        }
    }

    /// Opens and locks a file. Another process may rename the file before it is locked. It is opened again then.
    ///
    /// A new file is empty until it is private, and its first permissions are the default ones.
    private static func open(_ path: String) throws(FileFailure) -> (OpenFile, mode_t?) {
        for _ in 0..<16 {
            let file: OpenFile
            let created = try? OpenFile(path, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, mode: 0o666)
            if let created { file = created } else { file = try OpenFile(path, O_RDWR | O_CREAT | O_NONBLOCK) }
            if let number = file.failureToLock() {
                guard number == EINTR else { throw FileFailure(number) }
            } else if let mode = try usableMode(file.descriptor, path) {
                return (file, created == nil ? nil : mode)
            }
        }
        throw FileFailure(EWOULDBLOCK)
    }

    /// Makes a file private, and returns its permissions before. Returns `nil` if the path no longer leads to a locked
    /// file, or if it is already a finished file.
    private static func usableMode(_ descriptor: Int32, _ path: String) throws(FileFailure) -> mode_t? {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { throw FileFailure(errno) }
        guard lstat(path, &named) == 0, own.st_ino == named.st_ino, own.st_dev == named.st_dev else { return nil }
        guard own.st_mode & S_IFMT == S_IFREG else { throw FileFailure(EISDIR) }
        // In a folder that users share, another user may have created the file.
        guard own.st_uid == geteuid() else { throw FileFailure(EPERM) }
        // A killed process had linked the file to its final name. Its bytes must not be changed.
        guard own.st_nlink == 1 else {
            guard unlink(path) == 0 else { throw FileFailure(errno) }
            return nil
        }
        let mode = own.st_mode & 0o777
        guard mode == 0o600 || fchmod(descriptor, 0o600) == 0 else { throw FileFailure(errno) }
        return mode
    }

    /// The length of the partial file.
    package func length() throws(FileFailure) -> Int64 {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileFailure(errno) }
        return Int64(facts.st_size)
    }

    /// Shortens the partial file.
    package func truncate(to length: Int64) throws(FileFailure) {
        while ftruncate(descriptor, off_t(length)) != 0 { guard errno == EINTR else { throw FileFailure(errno) } }
        observe()
    }

    /// Writes bytes at an offset. Several tasks may write different ranges.
    package func write(_ bytes: Data, at offset: Int64) throws(FileFailure) {
        var (rest, place) = (bytes, offset)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
            if count > 0 {
                rest = rest.dropFirst(count)
                place += Int64(count)
                observe()
            } else if count == 0 || errno != EINTR {
                throw FileFailure(count == 0 ? EIO : errno)
            }
        }
    }

    /// Reads at most `count` bytes at an offset. Returns no bytes at the end of the file.
    package func read(at offset: Int64, count: Int) throws(FileFailure) -> Data {
        try file.read(at: offset, count: count)
    }

    /// Removes the partial file and its record. The file remains open.
    package func remove() {
        unlink(partial)
        observe()
        removeRecord()
    }

    /// Removes the record, and one that a killed process has not completed.
    private func removeRecord() {
        guard mayHaveRecord.withLock({ $0 }) else { return }
        unlink(side)
        observe()
        unlink(temporary)
    }

    private var temporary: String { side + ".new" }
}

extension DownloadFiles {
    /// Returns the record if the partial file can be continued with it.
    package func usableRecord(identity: String, length: Int64) throws(FileFailure) -> DownloadRecord? {
        let bytes: Data
        do throws(FileFailure) {
            let file = try OpenFile(side, O_RDONLY | O_NONBLOCK)
            guard try file.isOwn() else { return nil }
            bytes = try file.read(upTo: Self.recordLimit)
        } catch {
            // Other failures may be temporary, and must not discard the partial file.
            guard [ENOENT, ELOOP, EISDIR].contains(error.number) else { throw error }
            // Next to an older partial file, there may be a record that a killed process has not completed.
            if error.number == ENOENT, usualMode != nil { mayHaveRecord.withLock { $0 = false } }
            return nil
        }
        guard bytes.count < Self.recordLimit else { return nil }
        let record = try? JSONDecoder().decode(DownloadRecord.self, from: bytes)
        return record.flatMap { $0.isUsable(length: length, identity: identity) ? $0 : nil }
    }

    /// Replaces the record. `nil` removes it, because the partial file cannot be continued.
    package func store(_ record: DownloadRecord?) throws(FileFailure) {
        guard let record else {
            guard mayHaveRecord.withLock({ $0 }) else { return }
            guard unlink(side) == 0 || errno == ENOENT else { throw FileFailure(errno) }
            return observe()
        }
        mayHaveRecord.withLock { $0 = true }
        // Encoding numbers, texts and dates of headers does not fail.
        guard let bytes = try? JSONEncoder().encode(record), bytes.count < Self.recordLimit else {
            throw FileFailure(EFBIG)
        }
        do throws(FileFailure) {
            unlink(temporary)
            try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL).write(bytes)
            observe()
            guard Foundation.rename(temporary, side) == 0 else { throw FileFailure(errno) }
            observe()
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Gives the partial file its final name and the default permissions, and removes the record.
    ///
    /// - Returns: `false` if a file with that name exists and must not be replaced.
    package func move(to url: URL, overwrites: Bool) throws(FileFailure) -> Bool {
        // Closing a file may report that the disk is full. The descriptor remains open for the lock.
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { throw FileFailure(errno) }
        let mode: mode_t
        if let usualMode { mode = usualMode } else { mode = try PartialFile(in: folder).usualMode }
        guard fchmod(descriptor, mode) == 0 else { throw FileFailure(errno) }
        observe()
        do throws(FileFailure) {
            guard try rename(to: url.path(percentEncoded: false), overwrites: overwrites) else {
                fchmod(descriptor, 0o600)
                return false
            }
        } catch {
            fchmod(descriptor, 0o600)
            throw error
        }
        observe()
        // Not the partial file: another process may have created it again.
        removeRecord()
        return true
    }

    private func rename(to path: String, overwrites: Bool) throws(FileFailure) -> Bool {
        if overwrites {
            guard Foundation.rename(partial, path) == 0 else { throw FileFailure(errno) }
            return true
        }
        if link(partial, path) == 0 {
            observe()
            unlink(partial)
            return true
        }
        switch errno {
        case EEXIST: return false
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS: break
        default: throw FileFailure(errno)
        }
        // The file system has no hard links. An empty file takes the name, and is replaced.
        do throws(FileFailure) {
            _ = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        guard Foundation.rename(partial, path) == 0 else {
            let failure = FileFailure(errno)
            unlink(path)
            throw failure
        }
        return true
    }
}

extension ServiceError {
    /// Returns the error for a failed system call on a partial file.
    static func file(_ failure: FileFailure) -> ServiceError {
        guard failure.number != EWOULDBLOCK else {
            return ServiceError(
                .file, "another download of this resource to this folder is running: wait for it or cancel it",
                underlying: failure.cause)
        }
        return ServiceError(.file, "the download can't be written to its file: \(failure)", underlying: failure.cause)
    }
}
