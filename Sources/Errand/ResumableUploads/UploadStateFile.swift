/// The file with the state of an upload, and the lock that admits one upload at a time.
package final class UploadStateFile: Sendable {
    /// The maximum size of a file: 128 kB.
    private static let limit = 131_072

    private let file: URL
    private let lockPath: String
    private let lock: OpenFile

    private var path: String { file.path(percentEncoded: false) }

    /// Locks a state file. The lock ends with this object.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the file is in use, or its folder is not writable.
    package init(_ file: URL) throws(ServiceError) {
        guard file.isFileURL else { throw ServiceError(.file, "expected a file URL") }
        self.file = file
        lockPath = file.path(percentEncoded: false) + ".lock"
        do {
            lock = try Self.lock(lockPath)
        } catch {
            throw Self.failure("locked", error)
        }
    }

    // The file is removed before its lock is released. See `lock(_:)`.
    deinit {
        unlink(lockPath)
        lock.unlock()
    }

    /// Locks a file. If its owner has removed it in the meantime, another process can lock a new one with this name.
    /// The lock then belongs to no name, and is acquired again.
    private static func lock(_ path: String) throws(FileFailure) -> OpenFile {
        for _ in 1...100 {
            let lock = try OpenFile(path, O_RDWR | O_CREAT)
            if let number = lock.failureToLock() {
                guard number == EINTR else { throw FileFailure(number) }
                continue
            }
            var (own, named) = (stat(), stat())
            guard fstat(lock.descriptor, &own) == 0 else { throw FileFailure(errno) }
            if lstat(path, &named) == 0, own.st_ino == named.st_ino, own.st_dev == named.st_dev { return lock }
        }
        throw FileFailure(EWOULDBLOCK)
    }

    /// Returns the stored state, or `nil` if the file is missing or has other contents, for example those of an earlier
    /// version.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the file cannot be read.
    package func load() throws(ServiceError) -> (state: UploadState?, isForeign: Bool) {
        let bytes: Data
        do {
            bytes = try OpenFile(path, O_RDONLY | O_NONBLOCK).read(upTo: Self.limit + 1)
        } catch {
            if error.number == ENOENT { return (nil, false) }
            throw Self.failure("read", error)
        }
        guard bytes.count <= Self.limit, let state = try? JSONDecoder().decode(UploadState.self, from: bytes),
            state.version == UploadState.version
        else { return (nil, true) }
        return (state, false)
    }

    /// Replaces the file. The new one can be read only by the current user.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``.
    package func save(_ state: UploadState) throws(ServiceError) {
        do {
            let partial = try PartialFile(in: file.deletingLastPathComponent())
            try partial.write(try JSONEncoder().encode(state))
            try partial.move(to: file, staysPrivate: true)
        } catch let failure as FileFailure {
            throw Self.failure("written", failure)
        } catch {
            throw Self.failure("written", FileFailure(EIO))
        }
    }

    /// Removes the file.
    package func remove() { unlink(path) }

    private static func failure(_ verb: String, _ failure: FileFailure) -> ServiceError {
        guard failure.number != EWOULDBLOCK else {
            return ServiceError(.file, "expected an unused state file, found one that another upload uses")
        }
        return ServiceError(
            .file, "the state file of the upload can't be \(verb): \(failure)", underlying: failure.cause)
    }
}
