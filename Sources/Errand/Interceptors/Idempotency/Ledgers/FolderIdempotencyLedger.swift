import ErrandJSON
import ErrandSupport

/// A ledger of idempotency keys in a folder, for the processes of one user on one machine.
///
/// Each key is a file that only the current user can read (0600). It contains the response without encryption. A file is removed
/// after the lifetime of its response. The clock is the date of the machine. The lock (`flock`) must work between the
/// processes, which is not the case on some network file systems.
public final class FolderIdempotencyLedger: IdempotencyLedger {
    /// The maximum wait for the lock of the folder: 1 second.
    public static let maximumWait: Duration = .seconds(1)
    private static let pauses: ClosedRange<Duration> = .microseconds(200) ... .milliseconds(10)
    /// The interval between two searches for old files.
    private static let cleaningInterval: Double = 60

    private let folder: URL
    private let lifetime: Duration
    private let time: any TimeSource
    private let cleanedAt = Locked(-Double.infinity)

    /// Creates a ledger. The first call creates the folder with the permissions 0700 if it does not exist. Its parent folder must
    /// exist.
    /// - Parameters:
    ///   - folder: The URL of the folder. It should contain nothing else.
    ///   - lifetime: The time for which a recorded response is kept. The default is 24 hours. Pass the same value in each process.
    ///   - time: The clock of the reservations (its date), and of the waits for the lock.
    public init(_ folder: URL, lifetime: Duration = .seconds(86_400), time: some TimeSource = .system) {
        (self.folder, self.lifetime, self.time) = (folder, max(.zero, lifetime), time)
    }

    /// Reserves a key, or extends its reservation.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the folder cannot be locked, read or written.
    ///   `CancellationError` if the task is cancelled during the wait for the lock.
    public func begin(
        _ key: String, request: String, owner: String, lease: Duration
    ) async throws -> IdempotencyDecision {
        let now = now
        return try await change(key) { old in
            let (decision, new) = IdempotencyState.begin(old, request: request, owner: owner, lease: lease, at: now)
            return (decision, new.map { .write($0) } ?? .none)
        }
    }

    /// Records the response to the request of a key.
    /// - Throws: As ``begin(_:request:owner:lease:)``.
    public func finish(_ key: String, owner: String, with response: IdempotencyRecord) async throws {
        let (data, expiry) = (try response.data, now + Double(lifetime.wholeMicroseconds) / 1e6)
        try await change(key) { old in
            ((), (old?.finished(owner, data, until: expiry)).map { .write($0) } ?? .none)
        }
    }

    /// Ends the reservation of an owner.
    /// - Throws: As ``begin(_:request:owner:lease:)``.
    public func abandon(_ key: String, owner: String) async throws {
        try await change(key) { old in ((), old?.owner == owner ? .remove : .none) }
    }

    private var now: Double { time.date.timeIntervalSince1970 }
}

extension FolderIdempotencyLedger {
    private static let suffix = ".key"

    private enum Change {
        case none
        case write(IdempotencyState)
        case remove
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// Changes the file of a key while the folder is locked.
    private func change<Result>(
        _ key: String, _ body: (IdempotencyState?) throws -> (Result, Change)
    ) async throws -> Result {
        let name = SHA256.hash(Data(key.utf8)).prefix(16).hexadecimal + Self.suffix
        let lock = try await lock()
        defer { lock.unlock() }
        let (result, change) = try body(try read(name))
        do throws(FileFailure) {
            switch change {
            case .none: break
            case .write(let state): try write(state, name)
            case .remove: unlink(path(name))
            }
        } catch {
            throw Self.failure("changed", error)
        }
        clean()
        return result
    }

    private func lock() async throws -> OpenFile {
        let file = try openLock()
        let end = time.now + Self.maximumWait
        var pause = Self.pauses.lowerBound
        while let number = file.failureToLock() {
            guard number == EWOULDBLOCK || number == EINTR, time.now < end else {
                throw Self.failure("locked", FileFailure(number))
            }
            try await time.sleep(until: time.now + pause)
            pause = min(pause * 2, Self.pauses.upperBound)
        }
        return file
    }

    private func openLock() throws(ServiceError) -> OpenFile {
        do throws(FileFailure) {
            let file = try openOrCreateLock()
            guard try file.isOwn() else { throw FileFailure(EACCES) }
            return file
        } catch {
            throw Self.failure("opened", error)
        }
    }

    private func openOrCreateLock() throws(FileFailure) -> OpenFile {
        do {
            return try OpenFile(path("lock"), O_RDWR | O_CREAT)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
        guard mkdir(folder.path(percentEncoded: false), 0o700) == 0 || errno == EEXIST else { throw FileFailure(errno) }
        return try OpenFile(path("lock"), O_RDWR | O_CREAT)
    }

    /// Reads the state of a key. A malformed file counts as a new key.
    private func read(_ name: String) throws(ServiceError) -> IdempotencyState? {
        do throws(FileFailure) {
            let file = try OpenFile(path(name), O_RDONLY | O_NONBLOCK)
            let data = try file.read(upTo: 2 * IdempotencyRecord.limit)
            return try? FastJSONDecoder().decode(IdempotencyState.self, from: data)
        } catch {
            guard error.number != ENOENT else { return nil }
            throw Self.failure("read", error)
        }
    }

    private func write(_ state: IdempotencyState, _ name: String) throws(FileFailure) {
        guard let data = try? JSONEncoder().encode(state) else { throw FileFailure(EINVAL) }
        let file = try PartialFile(in: folder)
        try file.write(data)
        try file.move(to: folder.appending(path: name), staysPrivate: true)
    }

    /// Removes the files of keys without a reservation and without a known response, once a minute.
    private func clean() {
        let now = now
        let isDue = cleanedAt.withLock { last in
            guard abs(now - last) >= Self.cleaningInterval else { return false }
            last = now
            return true
        }
        guard isDue, let names = try? FileManager.default.contentsOfDirectory(atPath: path("")) else { return }
        let oldest = now - Double(lifetime.wholeMicroseconds) / 1e6 - Self.cleaningInterval
        for name in names where name.hasSuffix(Self.suffix) {
            var facts = stat()
            guard lstat(path(name), &facts) == 0, facts.modificationDate.timeIntervalSince1970 < oldest,
                let state = try? read(name), state.isOver(at: now)
            else { continue }
            unlink(path(name))
        }
    }

    private static func failure(_ verb: String, _ failure: FileFailure) -> ServiceError {
        ServiceError(.file, "the idempotency ledger cannot be \(verb): \(failure)", underlying: failure.cause)
    }
}
