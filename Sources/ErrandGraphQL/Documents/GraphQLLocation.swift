/// A place in a document: line and column, from 1; columns count Unicode scalars.
public struct GraphQLLocation: Sendable, Hashable, Codable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// Makes a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension GraphQLLocation: CustomStringConvertible {
    /// The text that is safe to print.
    public var description: String { "line \(line), column \(column)" }
}

/// What is wrong with a document or a schema, and where.
public struct DocumentProblem: Error, Sendable, Hashable {
    /// What is wrong, in one clause. It names names, never the value of a text.
    public let message: String
    /// Where.
    public let location: GraphQLLocation

    init(_ message: String, at location: GraphQLLocation) {
        self.message = message
        self.location = location
    }
}

extension DocumentProblem: CustomStringConvertible {
    /// The text that is safe to print.
    public var description: String { "\(location): \(message)" }
}
