/// An error in a command line or a configuration file: the problem, and a hint that shows how to fix it.
package struct UsageError: Error, Equatable {
    package let problem: String
    package let hint: String?

    package init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }

    /// Returns the error with a hint to the help of a command, unless it already has a hint.
    func pointing(to command: CommandName) -> UsageError {
        UsageError(problem, hint: hint ?? "see gallery \(command.rawValue) --help")
    }
}

extension UsageError: CustomStringConvertible {
    package var description: String { hint.map { "\(problem) (\($0))" } ?? problem }
}
