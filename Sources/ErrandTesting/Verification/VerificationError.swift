public import Errand

/// The problems found by a test double, a clock or a contract, in words for the reader of the test's output.
///
/// Secrets in URLs and headers are masked, as in every description of this library.
public struct VerificationError: Error, Sendable, Hashable {
    /// The problems. A problem may have several lines.
    public let problems: [String]

    /// Creates an error with several problems.
    public init(_ problems: [String]) {
        self.problems = problems
    }

    /// Creates an error with one problem.
    public init(_ problem: String) {
        problems = [problem]
    }
}

extension VerificationError: CustomStringConvertible, LocalizedError {
    /// All problems, separated by blank lines.
    public var description: String { problems.joined(separator: "\n\n") }
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
