import ErrandSupport

/// A file that is being written under a temporary name, and that only the current user can read. It is removed on
/// deinitialization unless it was moved to its final URL. It is locked while it is open, so that the files of a process
/// that was killed can be told apart.
package final class PartialFile: Sendable {
    private struct State {
        /// The file descriptor, or `nil` after the file was closed.
        var descriptor: Int32?
        var isMoved = false
    }

    package let url: URL
    /// The default permissions of new files of the process.
    let usualMode: mode_t
    private let state: Locked<State>

    /// Creates an empty hidden file in a folder.
    init(in folder: URL) throws(FileFailure) {
        url = folder.appending(path: ".errand-\(UUID().uuidString).part", directoryHint: .notDirectory)
        let descriptor = open(
            url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileFailure(errno) }
        var facts = stat()
        let isPrivate = fstat(descriptor, &facts) == 0 && fchmod(descriptor, 0o600) == 0
        let failure = FileFailure(errno)
        usualMode = facts.st_mode & 0o777
        flock(descriptor, LOCK_EX | LOCK_NB)
        state = Locked(State(descriptor: descriptor))
        if !isPrivate { throw failure }
    }

    deinit {
        let (descriptor, isMoved) = state.withLock { ($0.descriptor, $0.isMoved) }
        if let descriptor { Foundation.close(descriptor) }
        if !isMoved { unlink(url.path(percentEncoded: false)) }
    }

    /// Appends bytes. Calls must not overlap, because the file has one writer.
    func write(_ bytes: Data) throws(FileFailure) {
        guard let descriptor = state.withLock({ $0.descriptor }) else { throw FileFailure(EBADF) }
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw FileFailure(errno)
            }
        }
    }

    /// Closes the file. A full disk may be reported only here.
    func close() throws(FileFailure) {
        guard let descriptor = state.withLock({ $0.descriptor.take() }) else { return }
        guard Foundation.close(descriptor) == 0 else { throw FileFailure(errno) }
    }

    /// Moves the file to its final URL, and replaces an existing file. Sets the default permissions, unless the file
    /// remains private.
    func move(to destination: URL, staysPrivate: Bool = false) throws(FileFailure) {
        try close()
        let path = url.path(percentEncoded: false)
        guard staysPrivate || chmod(path, usualMode) == 0, rename(path, destination.path(percentEncoded: false)) == 0
        else {
            throw FileFailure(errno)
        }
        state.withLock { $0.isMoved = true }
    }
}
