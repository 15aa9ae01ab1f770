extension Task where Failure == Never, Success == Void {
    /// Starts a task on the current thread, on systems that support it (SE-0472). The task runs there until it first
    /// suspends. This saves a thread switch for work that mostly waits. On other systems, the task starts on another
    /// thread.
    ///
    /// - Parameter work: The operation of the task. The caller must not hold a lock that the operation acquires.
    /// - Returns: The task.
    package static func beginningHere(_ work: @escaping @Sendable () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { await work() }
        } else {
            Task { await work() }
        }
    }
}

extension ThrowingTaskGroup where Failure == any Error {
    /// Adds a task that starts on the current thread and runs there until it first suspends, on systems that support
    /// it.
    package mutating func addTaskBeginningHere(
        _ work: @escaping @concurrent @Sendable () async throws -> ChildTaskResult
    ) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            addImmediateTask(operation: work)
        } else {
            addTask(operation: work)
        }
    }
}
