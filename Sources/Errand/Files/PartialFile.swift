import ErrandSupport

/// A file that is being written, under a name of its own, readable by this user alone; removed when nobody holds it any
/// longer, unless it was given a final name.
package final class PartialFile: Sendable {
    private struct State {
        /// Nil once it has been closed.
        var descriptor: Int32?
        var isMoved = false
    }

    package let url: URL
    /// The permissions that the process gives its files.
    private let usualMode: mode_t
    private let state: Locked<State>

    /// Makes an empty file in a folder, hidden there.
    init(in folder: URL) throws(FileFailure) {
        url = folder.appending(path: ".errand-\(UUID().uuidString).part", directoryHint: .notDirectory)
        let descriptor = open(
            url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileFailure(errno) }
        var facts = stat()
        let isPrivate = fstat(descriptor, &facts) == 0 && fchmod(descriptor, 0o600) == 0
        let failure = FileFailure(errno)
        usualMode = facts.st_mode & 0o777
        state = Locked(State(descriptor: descriptor))
        if !isPrivate { throw failure }
    }

    deinit {
        let (descriptor, isMoved) = state.withLock { ($0.descriptor, $0.isMoved) }
        if let descriptor { Foundation.close(descriptor) }
        if !isMoved { unlink(url.path(percentEncoded: false)) }
    }

    /// Appends bytes. One after the other: it has one writer.
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

    /// Ends the writing. A full disk may be noticed only here.
    func close() throws(FileFailure) {
        guard let descriptor = state.withLock({ $0.descriptor.take() }) else { return }
        guard Foundation.close(descriptor) == 0 else { throw FileFailure(errno) }
    }

    /// Gives the file its final name, in the place of a file that has it, and the usual permissions.
    func move(to place: URL) throws(FileFailure) {
        try close()
        let path = url.path(percentEncoded: false)
        guard chmod(path, usualMode) == 0, rename(path, place.path(percentEncoded: false)) == 0 else {
            throw FileFailure(errno)
        }
        state.withLock { $0.isMoved = true }
    }
}
