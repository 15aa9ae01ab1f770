/// Ends the library's own parsing when the API call has been cancelled or its deadline has passed.
///
/// `JSONDecoder` has no parameter for a limit, so the loader sets it for the task.
package struct ParsingLimit: Sendable {
    /// The limit of the current task's API call.
    @TaskLocal package static var current: ParsingLimit?

    /// The number of bytes to parse, and of values to decode, between two checks.
    static let interval = (bytes: 65_536, values: 1_024)

    private let deadline: Deadline?

    /// Makes a limit.
    package init(deadline: Deadline?) {
        self.deadline = deadline
    }

    /// Throws if parsing must not go on.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/cancelled`` or ``ServiceError/Code/timeout``.
    package func check() throws(ServiceError) {
        if Task.isCancelled { throw ServiceError.cancellation() }
        if deadline?.hasPassed == true { throw Deadline.error }
    }
}
