public import Errand

/// The schema of a service, to check documents against. Check them in a test, because changes of the schema break
/// queries that are written by hand.
///
/// ```swift
/// let schema = try GraphQLSchema(contentsOf: file)       // schema.graphql, or an introspection result as schema.json
/// try schema.check(document)
/// ```
/// A check covers these rules (GraphQL, sections 5.2.1, 5.3.1, 5.3.3, 5.4, 5.5.1, 5.6, 5.7.1 and 5.8):
/// - Fields, arguments, types, directives, enum values and input fields exist.
/// - Required arguments and input fields are present.
/// - Fields have a selection set if their type requires it, and only then.
/// - Variables fit their positions, and literals fit their types.
/// - Fragments and variables are used.
///
/// Only the service checks whether fields with the same name can be merged (5.3.2) and whether fragments can apply
/// (5.5.2.3).
///
/// A schema has at most 16 MB.
public struct GraphQLSchema: Sendable {
    let types: SchemaTypes

    /// Parses the schema definition language (GraphQL, section 3).
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``. Its reason starts with line
    ///   and column, and its cause is a ``DocumentProblem``.
    public init(_ text: String) throws(ServiceError) {
        do throws(DocumentProblem) {
            types = try SchemaParser.schema(text)
        } catch {
            throw ServiceError(.configuration, error.description, underlying: error)
        }
    }

    /// Decodes the result of an introspection query (GraphQL, section 4), with or without an enclosing `data` member.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``. Its reason contains the
    ///   coding path.
    public init(introspection data: Data) throws(ServiceError) {
        guard data.count <= SchemaParser.limits.bytes else {
            throw ServiceError(
                .configuration, "expected a schema of at most \(SchemaParser.limits.bytes) bytes, found more")
        }
        do {
            types = try JSONDecoder().decode(Introspection.self, from: data).schema
        } catch {
            let failure = ServiceError(wrapping: error, as: .decoding, "the introspection result can't be decoded")
            throw ServiceError(.configuration, failure.reason, underlying: error)
        }
    }

    /// Loads a file. If the file name ends in `.json`, the file is an introspection result. Otherwise, it is the schema
    /// definition language.
    /// - Throws: The errors of the other initializers, and an error if the file cannot be read. The reason starts with
    ///   the file name.
    public init(contentsOf file: URL) throws(ServiceError) {
        self = try QueryDocument.naming(file) { () throws(ServiceError) in
            let data = try QueryDocument.read(file, upTo: SchemaParser.limits.bytes)
            let isJSON = file.pathExtension.lowercased() == "json"
            return isJSON ? try Self(introspection: data) : try Self(try QueryDocument.text(data))
        }
    }

    /// Returns the problems of a document in the order of its text, at most 100.
    public func problems(in document: QueryDocument) -> [DocumentProblem] {
        var check = SchemaCheck(types, document.syntax)
        return check.problems()
    }

    /// Checks all operations and fragments of a file, not only the operation to run. The file is GraphQL, or JSON with
    /// the document under `query`.
    /// - Throws: The errors of ``check(_:)`` and ``QueryDocument/init(contentsOf:operation:)``. The reason starts with
    ///   the file name.
    public func check(contentsOf file: URL) throws(ServiceError) {
        try QueryDocument.naming(file) { () throws(ServiceError) in
            let syntax = try QueryDocument.checkedSyntax(try QueryDocument.stored(in: file).query)
            var check = SchemaCheck(types, syntax)
            try report(check.problems())
        }
    }

    /// Checks a document.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the document has
    ///   problems. The reason lists the first eight problems, each with line and column.
    public func check(_ document: QueryDocument) throws(ServiceError) {
        try report(problems(in: document))
    }

    private func report(_ problems: [DocumentProblem]) throws(ServiceError) {
        guard let first = problems.first else { return }
        let more = problems.count > 8 ? "; and \(problems.count - 8) more" : ""
        let text = problems.prefix(8).map(\.description).joined(separator: "; ")
        throw ServiceError(.configuration, "the document does not match the schema: \(text)\(more)", underlying: first)
    }
}
