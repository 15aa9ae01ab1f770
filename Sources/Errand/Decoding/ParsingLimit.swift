/// Ends the library's own parsing when the API call has been cancelled or its deadline has passed.
///
/// A decoder can't be given these through the API of `JSONDecoder`, so that the loader sets them for the task.
package struct ParsingLimit: Sendable {
    /// The limit of the API call whose response the current task parses.
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
