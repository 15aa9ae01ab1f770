/// Records the key path at which a user's `encode(to:)` threw. The error itself is not wrapped, so that an outer
/// `encode(to:)` can catch it.
final class QueryJournal {
    private(set) var failurePath: [any CodingKey]?

    /// Runs a step, and records its path if it throws. The path of an inner step takes precedence.
    func recording(_ path: [any CodingKey], _ step: () throws -> Void) throws {
        do {
            try step()
            failurePath = nil
        } catch {
            failurePath = failurePath ?? path
            throw error
        }
    }
}
