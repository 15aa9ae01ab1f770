public import Errand

/// What a double, a clock or a contract has to complain about, in words for the person who reads the test's output.
///
/// Secrets in addresses and fields are masked as in every description of this library.
public struct VerificationError: Error, Sendable, Hashable {
    /// One complaint each; a complaint may have several lines.
    public let problems: [String]

    /// Makes an error of complaints.
    public init(_ problems: [String]) {
        self.problems = problems
    }

    /// Makes an error of one complaint.
    public init(_ problem: String) {
        problems = [problem]
    }
}

extension VerificationError: CustomStringConvertible, LocalizedError {
    /// All complaints, a blank line between them.
    public var description: String { problems.joined(separator: "\n\n") }
    /// The same.
    public var errorDescription: String? { description }
}
