extension Task where Failure == Never, Success == Void {
    /// A task that begins on its maker's thread and runs there until it first waits (SE-0472), where the system has that;
    /// else one that begins on another thread. It spares a switch of threads to work that mostly waits.
    ///
    /// - Parameter work: What it does; the maker must hold no lock that it needs.
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
    /// Adds a task that begins on its maker's thread and runs there until it first waits, where the system has that.
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
