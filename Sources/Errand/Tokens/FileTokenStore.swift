import ErrandSupport

/// A token store in a file that only the current user can read. The file has the permissions 0600 from its creation.
///
/// A new token replaces the old one atomically. Several processes may share the file. A refresh locks a file with the
/// same name and the suffix `.lock`, so that one process refreshes and the others find its token. The file is not
/// encrypted. Its folder must exist, and must not be writable by other users.
public struct FileTokenStore: TokenStore {
    /// The maximum time that a process waits for the refresh of another one: 60 seconds.
    public static let maximumWait: Duration = .seconds(60)
    /// The pauses between two attempts to lock. Each pause is twice the previous one.
    private static let pauses: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(160)

    private let path: String
    private let time: any TimeSource

    /// Creates a store.
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - time: The clock of the waits for other processes.
    public init(_ file: URL, time: some TimeSource = .system) {
        path = file.path(percentEncoded: false)
        self.time = time
    }

    /// Returns the token, or `nil` if the file does not exist.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the file cannot be read or contains no token.
    public func load() throws -> OAuthToken? {
        let bytes: Data
        do {
            bytes = try OpenFile(path, O_RDONLY | O_NONBLOCK).read(upTo: OAuthToken.storedLimit + 1)
        } catch {
            if error.number == ENOENT { return nil }
            throw Self.failure("read", error.number)
        }
        return try OAuthToken(storedForm: bytes)
    }

    /// Writes the token to a temporary file in the same folder, which then replaces the file. `nil` removes the file.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``. In this case the old token is kept.
    public func save(_ token: OAuthToken?) throws {
        guard let token else {
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("removed", errno) }
            return
        }
        let bytes = try token.storedForm()
        let draft = "\(path).\(SystemRandom().uuid())"
        do {
            let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL)
            try file.write(bytes)
            guard fsync(file.descriptor) == 0, rename(draft, path) == 0 else { throw FileFailure(errno) }
        } catch {
            unlink(draft)
            throw Self.failure("written", (error as? FileFailure)?.number ?? EIO)
        }
    }

    /// Runs a refresh while no other process that shares the file runs one.
    ///
    /// It polls the lock, with pauses of 5 ms at first and at most 160 ms. It blocks no thread, and ends at once if its
    /// task is cancelled. The lock is not fair: the first process that polls after its release gets it.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the lock is not available within ``maximumWait``.
    ///   The error of the refresh. `CancellationError` if the task is cancelled.
    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        let lock: OpenFile
        do {
            lock = try OpenFile(path + ".lock", O_RDWR | O_CREAT)
        } catch {
            throw Self.failure("locked", error.number)
        }
        try await acquire(lock)
        // Closing the descriptor releases the lock, also at the end of the process, but not while a child process that
        // is being started has a copy of the descriptor.
        defer { lock.unlock() }
        try await refresh()
    }

    private func acquire(_ lock: OpenFile) async throws {
        let end = time.now + Self.maximumWait
        var pause = Self.pauses.lowerBound
        while let number = lock.failureToLock() {
            guard number == EWOULDBLOCK || number == EINTR, time.now < end else {
                throw Self.failure("locked", number)
            }
            try await time.sleep(until: min(time.now + pause, end))
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    private static func failure(_ verb: String, _ number: Int32) -> ServiceError {
        let failure = FileFailure(number)
        return ServiceError(.file, "the token file cannot be \(verb): \(failure)", underlying: failure.cause)
    }
}
