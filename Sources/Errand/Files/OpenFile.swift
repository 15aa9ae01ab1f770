/// An open file. It is closed with the deinitialization of this object.
final class OpenFile: Sendable {
    let descriptor: Int32

    /// Opens a file. By default, a new file can be read only by the current user.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileFailure) {
        descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileFailure(errno) }
    }

    /// Opens a file for reading, also through a symbolic link.
    init(reading url: URL) throws(FileFailure) {
        // Without `O_NONBLOCK`, `open` waits for the writer of a pipe.
        descriptor = open(url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure(errno) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A process that another thread is about to start has a copy of the descriptor until it runs its program. The
        // copy would hold the lock until then.
        unlock()
        close(descriptor)
    }

    /// Locks the file without waiting. Returns the error number if the lock is not available.
    func failureToLock() -> Int32? { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? nil : errno }

    /// Whether this is a regular file of the current user. In a folder that users share, another user can create one.
    func isOwn() throws(FileFailure) -> Bool {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileFailure(errno) }
        return facts.st_mode & S_IFMT == S_IFREG && facts.st_uid == geteuid()
    }

    func unlock() { flock(descriptor, LOCK_UN) }

    /// Reads at most `count` bytes at an offset with one system call. Returns no bytes at the end of the file.
    ///
    /// `FileHandle` on Linux reads 4 kB with each system call.
    func read(at offset: Int64, count: Int) throws(FileFailure) -> Data {
        var bytes = Data(count: count)
        while true {
            let found = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            if found == count { return bytes }
            if found >= 0 { return bytes.prefix(found) }
            guard errno == EINTR else { throw FileFailure(errno) }
        }
    }

    /// Returns the bytes up to the end of the file. Of a longer file, it returns up to 64 kB more than `limit` bytes.
    func read(upTo limit: Int) throws(FileFailure) -> Data {
        var bytes = Data()
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let count = Foundation.read(descriptor, &part, part.count)
            if count > 0 { bytes.append(contentsOf: part.prefix(count)) }
            if count == 0 { break }
            guard count > 0 || errno == EINTR else { throw FileFailure(errno) }
        }
        return bytes
    }

    func write(_ bytes: Data) throws(FileFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            guard count > 0 || errno == EINTR else { throw FileFailure(errno) }
        }
    }
}
