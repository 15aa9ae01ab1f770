/// A command line that can't be carried out: what is wrong with it, and what to write instead.
package struct UsageError: Error, Equatable {
    package let problem: String
    package let hint: String?

    package init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }

    /// The same, which points to a command's help where it has no better hint.
    func pointing(to command: CommandName) -> UsageError {
        UsageError(problem, hint: hint ?? "see gallery \(command.rawValue) --help")
    }
}

extension UsageError: CustomStringConvertible {
    package var description: String { hint.map { "\(problem) (\($0))" } ?? problem }
}
