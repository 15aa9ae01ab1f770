/// One rule of a contract.
protocol ContractPromise {
    /// The rule, for messages.
    var name: String { get }
}

extension VerificationError {
    /// Checks promises in their order.
    /// - Throws: ``VerificationError`` with one problem for each broken promise (its name and the observed behavior), or with a
    ///   single problem if the task was cancelled.
    static func check<Promise: ContractPromise>(
        _ promises: [Promise], _ body: (Promise) async throws -> Void
    ) async throws(VerificationError) {
        var problems: [String] = []
        for promise in promises {
            do {
                try await body(promise)
            } catch {
                if Task.isCancelled { throw VerificationError("the contract check was cancelled") }
                problems.append("broken promise  \(promise.name)\n  \(error)")
            }
        }
        guard problems.isEmpty else { throw VerificationError(problems) }
    }
}
