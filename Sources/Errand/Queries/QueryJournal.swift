/// Remembers where a user's `encode(to:)` threw: its errors pass as they are, for a caller that catches its own.
final class QueryJournal {
    private(set) var failurePath: [any CodingKey]?

    /// Runs a step and notes its path where it throws; an inner step's path wins.
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
