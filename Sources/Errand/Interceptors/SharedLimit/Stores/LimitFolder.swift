import ErrandSupport

/// The files of a ``FolderLimitStore``, and the changes of this process that wait for them.
///
/// For each file, one task locks it and makes all waiting changes at once, so that the tasks of a process do not compete for
/// the lock.
final class LimitFolder: Sendable {
    private struct Change: Sendable {
        let addedAt: Duration
        /// Changes the state, and returns the function that passes the result to the caller.
        let make: @Sendable (inout LimitState, Int64) -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State: Sendable {
        var lastID = 0
        /// The waiting changes of each file that has a task, with increasing numbers.
        var files: [String: [Int: Change]] = [:]
    }

    /// The pauses between two attempts to lock. Each pause is twice the previous one.
    private static let pauses: ClosedRange<Duration> = .microseconds(100) ... .milliseconds(1)
    /// The interval between two searches for changes that have waited for too long, after the first one.
    private static let checkInterval: Duration = .milliseconds(100)
    /// The maximum size of a file, in bytes.
    private static let limit = 512

    private let folder: URL
    private let time: any TimeSource
    private let state = Locked(State())

    init(_ folder: URL, time: any TimeSource) {
        (self.folder, self.time) = (folder, time)
    }

    /// Changes the state of a key while its file is locked.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``. `CancellationError` if the task is cancelled.
    func change<Result: Sendable>(
        _ key: String, _ body: @escaping @Sendable (inout LimitState, Int64) -> Result
    ) async throws -> Result {
        let name = SHA256.hash(Data(key.utf8)).prefix(16).hexadecimal + ".limit"
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                let change = Change(
                    addedAt: time.now,
                    make: { state, now in
                        let result = body(&state, now)
                        return { caller.resume(returning: result) }
                    },
                    fail: { caller.resume(throwing: $0) })
                add(change, id, to: name)
                // The task may have been cancelled before the change was added.
                if Task.isCancelled { abandon(id, name) }
            }
        } onCancel: {
            abandon(id, name)
        }
    }
}

extension LimitFolder {
    private func add(_ change: Change, _ id: Int, to name: String) {
        let isFirst = state.withLock { state in
            let isFirst = state.files[name] == nil
            state.files[name, default: [:]][id] = change
            return isFirst
        }
        // The task is unstructured because a caller that is cancelled must not end the changes of the others. It ends without
        // waiting changes, and each wait for a lock is limited. Its priority does not depend on the first caller.
        if isFirst { Task.detached(priority: .userInitiated) { await self.work(on: name) } }
    }

    private func abandon(_ id: Int, _ name: String) {
        let change = state.withLock { $0.files[name]?.removeValue(forKey: id) }
        change?.fail(CancellationError())
    }

    /// Makes the changes of a file until none is waiting.
    private func work(on name: String) async {
        while isNeeded(name) {
            do {
                let file = try open(name)
                guard try await acquire(file, for: name) else { continue }
                let changes = takeChanges(of: name)
                let results = Result { try make(changes, in: file) }
                file.unlock()
                switch results {
                case .success(let results): for result in results { result() }
                case .failure(let error): for change in changes { change.fail(error) }
                }
            } catch {
                for change in takeChanges(of: name) { change.fail(error) }
            }
        }
    }

    /// Whether changes of the file are waiting. Otherwise its task must end.
    private func isNeeded(_ name: String) -> Bool {
        state.withLock { state in
            guard state.files[name]?.isEmpty != false else { return true }
            state.files[name] = nil
            return false
        }
    }

    /// Removes the waiting changes, or those that were added until a time. Returns them in the order of their numbers.
    private func takeChanges(of name: String, addedBy time: Duration? = nil) -> [Change] {
        state.withLock { state in
            let waiting = state.files[name] ?? [:]
            let taken = time.map { time in waiting.filter { $0.value.addedAt <= time } } ?? waiting
            state.files[name] = taken.count == waiting.count ? [:] : waiting.filter { taken[$0.key] == nil }
            return taken.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Waits for the lock, and fails each change that has waited for too long. Returns `false` if no change is left.
    private func acquire(_ file: OpenFile, for name: String) async throws -> Bool {
        var check = time.now + FolderLimitStore.maximumWait
        var pause = Self.pauses.lowerBound
        while let number = file.failureToLock() {
            let failure = Self.failure("locked", FileFailure(number))
            guard number == EWOULDBLOCK || number == EINTR else { throw failure }
            if time.now >= check {
                let late = takeChanges(of: name, addedBy: time.now - FolderLimitStore.maximumWait)
                for change in late { change.fail(failure) }
                check = time.now + Self.checkInterval
            }
            guard state.withLock({ $0.files[name]?.isEmpty == false }) else { return false }
            try await time.sleep(until: min(time.now + pause, check))
            pause = min(pause * 2, Self.pauses.upperBound)
        }
        return true
    }

    private func make(_ changes: [Change], in file: OpenFile) throws -> [@Sendable () -> Void] {
        // Read while the file is locked, so that a later change has a later time unless the clock was set back.
        let now = Int64(min(max(0, time.date.timeIntervalSince1970 * 1_000_000), 4e15))
        do throws(FileFailure) {
            var state = LimitState(storedForm: try file.read(at: 0, count: Self.limit)) ?? LimitState(at: now)
            let before = state
            state.follow(now)
            let results = changes.map { $0.make(&state, now) }
            if state != before { try file.overwrite(state.storedForm) }
            return results
        } catch {
            throw Self.failure("changed", error)
        }
    }
}

extension LimitFolder {
    private func open(_ name: String) throws(ServiceError) -> OpenFile {
        let path = folder.appending(path: name).path(percentEncoded: false)
        do throws(FileFailure) {
            let file = try openOrCreate(path)
            guard try file.isOwn() else { throw FileFailure(EACCES) }
            return file
        } catch {
            throw Self.failure("opened", error)
        }
    }

    private func openOrCreate(_ path: String) throws(FileFailure) -> OpenFile {
        do {
            return try OpenFile(path, O_RDWR | O_CREAT)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
        guard mkdir(folder.path(percentEncoded: false), 0o700) == 0 || errno == EEXIST else { throw FileFailure(errno) }
        return try OpenFile(path, O_RDWR | O_CREAT)
    }

    private static func failure(_ verb: String, _ failure: FileFailure) -> ServiceError {
        ServiceError(.file, "the file of the shared limit cannot be \(verb): \(failure)", underlying: failure.cause)
    }
}

extension OpenFile {
    /// Writes a line at the start of the file. The end of a longer old line remains behind it.
    fileprivate func overwrite(_ bytes: Data) throws(FileFailure) {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { throw FileFailure(count < 0 ? errno : ENOSPC) }
    }
}
