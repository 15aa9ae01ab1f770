/// A limit store in a folder, for the processes of one user on one machine.
///
/// Each limit is a file that only the current user can read (0600). A process locks the file for each reservation, or once for
/// all tasks that are waiting at that moment. A malformed file counts as a new limit. Files are not removed: there is one for
/// each name of a limit, with less than 200 bytes.
///
/// The clock is the date of the machine. If it is set back, waits do not become longer. If it is set forward, reservations and
/// pauses end early. The lock (`flock`) must work between the processes, which is not the case on some network file systems.
public struct FolderLimitStore: LimitStore {
    /// The maximum wait for the lock of a file: 1 second. A ``SharedRateLimitInterceptor`` ends the wait earlier, after its
    /// ``SharedRateLimitInterceptor/Policy/storeTimeout``.
    public static let maximumWait: Duration = .seconds(1)
    private let files: LimitFolder

    /// Creates a store. The first call creates the folder with the permissions 0700 if it does not exist. Its parent folder
    /// must exist. The permissions of an existing folder do not change.
    /// - Parameters:
    ///   - folder: The URL of the folder.
    ///   - time: The clock of the limits (its date), and of the waits for a lock. The default is the system clock.
    public init(_ folder: URL, time: some TimeSource = .system) {
        files = LimitFolder(folder, time: time)
    }

    /// Reserves the next free time of a limit.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the file cannot be locked, read or written.
    ///   `CancellationError` if the task is cancelled during the wait for the lock.
    public func take(_ key: String, _ demand: LimitDemand) async throws -> LimitDecision {
        try await files.change(key) { $0.take(demand, at: $1) }
    }

    /// Returns a reservation with the pauses that were added to it.
    /// - Throws: As ``take(_:_:)``.
    public func update(_ grant: LimitGrant, of key: String) async throws -> LimitGrant {
        try await files.change(key) { state, _ in state.update(grant) }
    }

    /// Adds the limits that a response reports.
    /// - Throws: As ``take(_:_:)``.
    public func observe(_ key: String, _ observation: LimitObservation) async throws {
        try await files.change(key) { $0.observe(observation, at: $1) }
    }
}
