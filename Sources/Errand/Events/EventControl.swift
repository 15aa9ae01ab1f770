import ErrandSupport

/// The state that an event source shares with its iterators.
final class EventControl: Sendable {
    private struct State {
        var restarts = 0
        var skipped = 0
        /// The recorder of the latest iteration.
        var recorder: Trail.Recorder?
        /// Cancels the waits that a restart interrupts, by identifier.
        var cancels: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
    }

    private let state = Locked(State())

    /// The number of requested restarts.
    var restarts: Int { state.withLock { $0.restarts } }
    var skipped: Int { state.withLock { $0.skipped } }
    var trail: Trail { state.withLock { $0.recorder }?.trail ?? Trail() }

    func skip() {
        state.withLock { $0.skipped += 1 }
    }

    func setRecorder(_ recorder: Trail.Recorder?) {
        state.withLock { $0.recorder = recorder }
    }

    /// Interrupts all waits.
    func restart() {
        let cancels = state.withLock { state in
            state.restarts += 1
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Runs an operation that a restart interrupts. The caller waits for it, also after a cancellation.
    ///
    /// - Parameters:
    ///   - seen: The number of restarts that the caller knows.
    ///   - work: The operation.
    /// - Returns: The value, or `nil` if a restart interrupted the operation.
    /// - Throws: ``ServiceError``. The code is ``ServiceError/Code/cancelled`` if the caller was cancelled.
    func interruptible<Value: Sendable>(
        since seen: Int, _ work: @escaping @concurrent @Sendable () async throws -> Value
    ) async throws(ServiceError) -> Value? {
        try ServiceError.checkCancellation()
        guard restarts == seen else { return nil }
        // Unstructured, because a restart cancels the operation but not the caller.
        let task = Task { try await work() }
        let id = state.withLock { state in
            state.lastID += 1
            state.cancels[state.lastID] = { task.cancel() }
            return state.lastID
        }
        defer { state.withLock { $0.cancels[id] = nil } }
        if restarts != seen { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        do {
            return try result.get()
        } catch {
            try ServiceError.checkCancellation()
            guard restarts == seen else { return nil }
            throw ServiceError(wrapping: error, as: .transport, "the wait before an attempt failed")
        }
    }
}
