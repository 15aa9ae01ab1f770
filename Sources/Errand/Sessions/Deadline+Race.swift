import ErrandSupport

extension ServiceError {
    /// Throws if the task has been cancelled.
    static func checkCancellation() throws(ServiceError) {
        if Task.isCancelled { throw .cancellation() }
    }
}

extension Deadline {
    static var error: ServiceError { ServiceError(.timeout, "the deadline of the call passed") }

    /// Throws if the task has been cancelled or the moment has come.
    func check() throws(ServiceError) {
        try ServiceError.checkCancellation()
        if hasPassed { throw Self.error }
    }

    /// Waits for the moment, and returns the error that it is to have reached it.
    fileprivate func passed() async throws -> ServiceError {
        while !hasPassed { try await time.sleep(until: instant) }
        return Self.error
    }
}

/// Runs work until a deadline: whichever ends first decides, and the other is cancelled.
package func race<Value: Sendable>(
    _ deadline: Deadline?, _ work: @escaping @concurrent @Sendable () async throws -> Value
) async throws -> Value {
    guard let deadline else { return try await work() }
    if deadline.hasPassed { throw Deadline.error }
    return try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        // First, as the work may keep this thread for a while.
        group.addTask { throw try await deadline.passed() }
        group.addTaskBeginningHere(work)
        guard let first = try await group.next() else { throw Deadline.error }
        return first
    }
}
