/// A command line that can't be carried out: what is wrong with it, and what to write instead.
package struct UsageError: Error, Equatable {
    package let problem: String
    package let hint: String

    package init(_ problem: String, hint: String = "see gallery fetch --help") {
        self.problem = problem
        self.hint = hint
    }
}

extension UsageError: CustomStringConvertible {
    package var description: String { "\(problem) (\(hint))" }
}
