/// A position in a document: line and column, from 1. Columns count Unicode scalars.
public struct GraphQLLocation: Sendable, Hashable, Codable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// Creates a location.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension GraphQLLocation: CustomStringConvertible {
    /// The location as text: `line 1, column 3`.
    public var description: String { "line \(line), column \(column)" }
}

/// An error in a document or a schema, with its location.
public struct DocumentProblem: Error, Sendable, Hashable {
    /// The description of the problem, in one clause. It contains names of the document, but never the value of a
    /// string.
    public let message: String
    /// The location of the problem.
    public let location: GraphQLLocation

    init(_ message: String, at location: GraphQLLocation) {
        self.message = message
        self.location = location
    }
}

extension DocumentProblem: CustomStringConvertible {
    /// The location and the message, which are safe to print.
    public var description: String { "\(location): \(message)" }
}
