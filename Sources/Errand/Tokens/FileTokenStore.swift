import ErrandSupport

/// A store in a file that this user alone can read: its permissions are 0600 from its creation on.
///
/// A token takes the place of the last one at once and whole. Several processes may share the file: a refresh holds a
/// lock on a file of the same name with `.lock` at its end, so that one of them refreshes and the others find what it got.
/// It is not encrypted. The folder has to be there, and to be nobody else's to write in.
public struct FileTokenStore: TokenStore {
    /// How long a process waits for another one's refresh: 60 seconds.
    public static let longestWait: Duration = .seconds(60)
    /// The pauses between two looks whether that has ended: each twice the last one.
    private static let pauses: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(160)

    private let path: String
    private let time: any TimeSource

    /// Makes a store.
    /// - Parameters:
    ///   - file: Its place.
    ///   - time: What waits for other processes are made on.
    public init(_ file: URL, time: some TimeSource = .system) {
        path = file.path(percentEncoded: false)
        self.time = time
    }

    /// The token; nil where there is no file.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` for a file that can't be read, or holds no token.
    public func load() throws -> OAuthToken? {
        let bytes: Data
        do {
            bytes = try Descriptor(path, O_RDONLY | O_NONBLOCK).read(upTo: OAuthToken.storedLimit + 1)
        } catch {
            if error.number == ENOENT { return nil }
            throw Self.failure("read", error.number)
        }
        return try OAuthToken(storedForm: bytes)
    }

    /// Writes the token beside the file, and gives it the file's name then; nil removes the file.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``; the last token is still there then.
    public func save(_ token: OAuthToken?) throws {
        guard let token else {
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("removed", errno) }
            return
        }
        let bytes = try token.storedForm()
        let draft = "\(path).\(SystemRandom().uuid())"
        do {
            let descriptor = try Descriptor(draft, O_WRONLY | O_CREAT | O_EXCL)
            try descriptor.write(bytes)
            guard fsync(descriptor.number) == 0, rename(draft, path) == 0 else { throw FileFailure(errno) }
        } catch {
            unlink(draft)
            throw Self.failure("written", (error as? FileFailure)?.number ?? EIO)
        }
    }

    /// Runs a refresh while no other process does that shares the file.
    ///
    /// It asks for the lock again and again, with pauses of 5 ms at first and 160 ms in the end: no thread is kept waiting,
    /// and a cancelled task leaves at once. Nobody's turn is kept: who asks first once the lock is free has it.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` where the lock can't be had within ``longestWait``;
    ///   what the refresh throws; `CancellationError`.
    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        let lock: Descriptor
        do {
            lock = try Descriptor(path + ".lock", O_RDWR | O_CREAT)
        } catch {
            throw Self.failure("locked", error.number)
        }
        try await acquire(lock)
        // Closing the descriptor, also by the process's end, gives the lock back, but not as long as a process has a copy
        // that is just being started.
        defer { lock.unlock() }
        try await refresh()
    }

    private func acquire(_ lock: Descriptor) async throws {
        let end = time.now + Self.longestWait
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
        return ServiceError(.file, "the token's file can't be \(verb): \(failure)", underlying: failure.cause)
    }
}

/// An open file, closed with this value.
private final class Descriptor: Sendable {
    let number: Int32

    init(_ path: String, _ flags: Int32) throws(FileFailure) {
        number = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileFailure(errno) }
    }

    deinit { if number >= 0 { close(number) } }

    /// Locks the file, and does not wait for that; the error's number where it can't be had now.
    func failureToLock() -> Int32? { flock(number, LOCK_EX | LOCK_NB) == 0 ? nil : errno }

    func unlock() { flock(number, LOCK_UN) }

    func read(upTo limit: Int) throws(FileFailure) -> Data {
        var bytes = Data()
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = Foundation.read(number, &part, part.count)
            if count > 0 { bytes.append(contentsOf: part.prefix(count)) }
            if count == 0 { break }
            guard count > 0 || errno == EINTR else { throw FileFailure(errno) }
        }
        return bytes
    }

    func write(_ bytes: Data) throws(FileFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            guard count > 0 || errno == EINTR else { throw FileFailure(errno) }
        }
    }
}
