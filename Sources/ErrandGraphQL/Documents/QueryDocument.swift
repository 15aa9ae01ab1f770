public import Errand
import ErrandSupport

/// A GraphQL document that is fit to be sent, and which of its operations is meant.
///
/// ```swift
/// let inline = try QueryDocument("query Hero($id: ID!) { hero(id: $id) { name } }")
/// let bundled = try QueryDocument(named: "Characters", in: .main)               // Characters.graphql or .json
/// let second = try QueryDocument(contentsOf: file, operation: "CharactersByName")
/// ```
/// It is checked when it is loaded: its grammar, unique names of operations, fragments and variables, fragments that are
/// there and don't go in circles, and that variables which are used are declared (GraphQL, sections 2, 5.2, 5.5 and 5.8).
/// The error's reason begins with line and column; the cause is a ``DocumentProblem``. Whether fields, arguments and types
/// exist, ``GraphQLSchema`` tells.
///
/// A document has at most 256 kB, 50,000 tokens, 1,000 definitions and 100 levels, one within another.
public struct QueryDocument: Sendable {
    /// One operation of a document.
    public struct Operation: Sendable, Hashable {
        /// What an operation does (GraphQL, section 2.3).
        public enum Kind: String, Sendable, Hashable {
            /// Reads.
            case query
            /// Writes, and then reads.
            case mutation
            /// Reads again and again.
            case subscription
        }

        /// What it does.
        public let kind: Kind
        /// Its name; nil where it has none.
        public let name: String?
        /// The names of its variables, in their order, without `$`.
        public let variables: [String]
    }

    /// The document as it is sent.
    public let text: String
    /// The operation that is meant.
    public let operation: Operation
    /// All of them, in their order.
    public let operations: [Operation]
    let syntax: ExecutableDocument

    /// Reads a document.
    /// - Parameters:
    ///   - text: The document.
    ///   - name: Which operation is meant; not needed where there is only one (GraphQL, section 6.1).
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``.
    public init(_ text: String, operation name: String? = nil) throws(ServiceError) {
        syntax = try Self.checkedSyntax(text)
        self.text = text
        operations = syntax.operations.map(Operation.init)
        operation = try Self.choose(name, of: operations)
    }

    /// What a text means, where it keeps the rules that need no schema.
    static func checkedSyntax(_ text: String) throws(ServiceError) -> ExecutableDocument {
        do throws(DocumentProblem) {
            let syntax = try Parser.document(text)
            try DocumentRules(syntax).check()
            return syntax
        } catch {
            throw ServiceError(.configuration, error.description, underlying: error)
        }
    }

    /// The same document, of which another operation is meant.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` where there is none of that name.
    public func choosing(operation name: String) throws(ServiceError) -> QueryDocument {
        QueryDocument(self, try Self.choose(name, of: operations))
    }

    private init(_ other: QueryDocument, _ operation: Operation) {
        text = other.text
        self.operation = operation
        operations = other.operations
        syntax = other.syntax
    }

    /// GetOperation (GraphQL, section 6.1).
    private static func choose(_ name: String?, of operations: [Operation]) throws(ServiceError) -> Operation {
        guard let first = operations.first else { throw ServiceError(.configuration, "the document has no operation") }
        let names = operations.compactMap(\.name).prefix(8).joined(separator: ", ")
        guard let name else {
            guard operations.count == 1 else {
                throw ServiceError(.configuration, "the document has several operations: name one of \(names)")
            }
            return first
        }
        guard let operation = operations.first(where: { $0.name == name }) else {
            let none = names.isEmpty ? "it has no name" : "there is \(names)"
            let wanted = name.singleLine(limit: 64)
            throw ServiceError(.configuration, "the document has no operation “\(wanted)”: \(none)")
        }
        return operation
    }
}

extension QueryDocument: Hashable {
    /// Whether text and operation are the same.
    public static func == (one: QueryDocument, other: QueryDocument) -> Bool {
        one.text == other.text && one.operation == other.operation
    }

    /// Hashes text and operation.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(operation)
    }
}

extension QueryDocument: CustomStringConvertible {
    /// Kind and name of the operation.
    public var description: String { "\(operation.kind.rawValue) \(operation.name ?? "without a name")" }
}

extension QueryDocument.Operation {
    init(_ definition: OperationDefinition) {
        kind = definition.kind
        name = definition.name?.text
        variables = definition.variables.map(\.name.text)
    }
}
