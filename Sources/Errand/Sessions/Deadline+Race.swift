import ErrandSupport

extension ServiceError {
    /// Throws an error if the current task is cancelled.
    package static func checkCancellation() throws(ServiceError) {
        if Task.isCancelled { throw .cancellation() }
    }
}

extension Deadline {
    static var error: ServiceError { ServiceError(.timeout, "the deadline of the call passed") }

    /// Throws an error if the current task is cancelled or the deadline has passed.
    package func check() throws(ServiceError) {
        try ServiceError.checkCancellation()
        if hasPassed { throw Self.error }
    }

    /// Waits until the deadline has passed, and returns the error for it.
    fileprivate func passed() async throws -> ServiceError {
        while !hasPassed { try await time.sleep(until: instant) }
        return Self.error
    }
}

/// Runs an operation. If the deadline passes first, cancels the operation and throws the error.
package func race<Value: Sendable>(
    _ deadline: Deadline?, _ work: @escaping @concurrent @Sendable () async throws -> Value
) async throws -> Value {
    guard let deadline else { return try await work() }
    if deadline.hasPassed { throw Deadline.error }
    return try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        // Added first, because the operation may occupy this thread for a while.
        group.addTask { throw try await deadline.passed() }
        group.addTaskBeginningHere(work)
        guard let first = try await group.next() else { throw Deadline.error }
        return first
    }
}
