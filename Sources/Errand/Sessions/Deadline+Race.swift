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

    /// Waits until the deadline has passed, and throws the error for it. Returns if the task is cancelled.
    fileprivate func pass() async throws {
        do {
            while !hasPassed { try await time.sleep(until: instant) }
        } catch {
            if Task.isCancelled { return }
            throw error
        }
        throw Self.error
    }
}

/// Runs an operation. If the deadline passes first, cancels the operation and throws the error. After a cancellation of
/// the caller, the result is that of the operation.
package func race<Value: Sendable>(
    _ deadline: Deadline?, _ work: @escaping @concurrent @Sendable () async throws -> Value
) async throws -> Value {
    guard let deadline else { return try await work() }
    if deadline.hasPassed { throw Deadline.error }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        defer { group.cancelAll() }
        // Added first, because the operation may occupy this thread for a while.
        group.addTask {
            try await deadline.pass()
            return nil
        }
        group.addTaskBeginningHere { try await work() }
        // Without a value, the wait was cancelled. The operation may have a value that must not be lost.
        while let result = try await group.next() {
            if let result { return result }
        }
        throw Deadline.error
    }
}
