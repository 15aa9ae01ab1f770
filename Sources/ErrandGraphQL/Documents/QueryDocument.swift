public import Errand
import ErrandSupport

/// A valid GraphQL document and the operation to run.
///
/// ```swift
/// let inline = try QueryDocument("query Hero($id: ID!) { hero(id: $id) { name } }")
/// let bundled = try QueryDocument(named: "Characters", in: .main)               // Characters.graphql or .json
/// let second = try QueryDocument(contentsOf: file, operation: "CharactersByName")
/// ```
/// A document is validated when it is loaded: its grammar, unique names of operations, fragments and variables,
/// fragments that exist and do not form cycles, and variables that are declared (GraphQL, sections 2, 5.2, 5.5 and
/// 5.8). The reason of a validation error starts with line and column. Its cause is a ``DocumentProblem``. Use
/// ``GraphQLSchema`` to check that fields, arguments and types exist.
///
/// A document has at most 256 kB, 50,000 tokens, 1,000 definitions and 100 levels of nesting.
public struct QueryDocument: Sendable {
    /// An operation of a document.
    public struct Operation: Sendable, Hashable {
        /// The kind of an operation (GraphQL, section 2.3).
        public enum Kind: String, Sendable, Hashable {
            /// An operation that reads data.
            case query
            /// An operation that writes data and then reads it.
            case mutation
            /// An operation that reads data for each event of the service.
            case subscription
        }

        /// The kind of the operation.
        public let kind: Kind
        /// The name of the operation, or `nil` if it is unnamed.
        public let name: String?
        /// The names of the variables without `$`, in the order of their declaration.
        public let variables: [String]
    }

    /// The document as it is sent.
    public let text: String
    /// The operation to run.
    public let operation: Operation
    /// All operations, in the order of the text.
    public let operations: [Operation]
    let syntax: ExecutableDocument

    /// Parses and validates a document.
    /// - Parameters:
    ///   - text: The document.
    ///   - name: The name of the operation to run. It can be omitted if the document has only one operation (GraphQL,
    ///     section 6.1).
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``.
    public init(_ text: String, operation name: String? = nil) throws(ServiceError) {
        syntax = try Self.checkedSyntax(text)
        self.text = text
        operations = syntax.operations.map(Operation.init)
        operation = try Self.choose(name, of: operations)
    }

    /// Parses a text and applies the validation rules that require no schema.
    static func checkedSyntax(_ text: String) throws(ServiceError) -> ExecutableDocument {
        do throws(DocumentProblem) {
            let syntax = try Parser.document(text)
            try DocumentRules(syntax).check()
            return syntax
        } catch {
            throw ServiceError(.configuration, error.description, underlying: error)
        }
    }

    /// Returns this document with another operation to run.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the document has no
    ///   operation of that name.
    public func choosing(operation name: String) throws(ServiceError) -> QueryDocument {
        QueryDocument(self, try Self.choose(name, of: operations))
    }

    private init(_ other: QueryDocument, _ operation: Operation) {
        text = other.text
        self.operation = operation
        operations = other.operations
        syntax = other.syntax
    }

    /// Selects an operation (`GetOperation`; GraphQL, section 6.1).
    private static func choose(_ name: String?, of operations: [Operation]) throws(ServiceError) -> Operation {
        guard let first = operations.first else {
            throw ServiceError(.configuration, "expected a document with an operation, found none")
        }
        let names = operations.compactMap(\.name).prefix(8).joined(separator: ", ")
        guard let name else {
            guard operations.count == 1 else {
                throw ServiceError(
                    .configuration, "expected an operation name, because the document has several operations: \(names)")
            }
            return first
        }
        guard let operation = operations.first(where: { $0.name == name }) else {
            let none = names.isEmpty ? "its operation is unnamed" : "expected one of \(names)"
            let wanted = name.singleLine(limit: 64)
            throw ServiceError(.configuration, "the document has no operation “\(wanted)”: \(none)")
        }
        return operation
    }
}

extension QueryDocument: Hashable {
    /// Compares text and operation.
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
    /// The kind and the name of the operation.
    public var description: String { "\(operation.kind.rawValue) \(operation.name ?? "without a name")" }
}

extension QueryDocument.Operation {
    init(_ definition: OperationDefinition) {
        kind = definition.kind
        name = definition.name?.text
        variables = definition.variables.map(\.name.text)
    }
}
