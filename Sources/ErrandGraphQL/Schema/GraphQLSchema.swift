public import Errand

/// A service's schema, to check documents against it: in a test, since a changed schema is what breaks queries that are
/// written by hand.
///
/// ```swift
/// let schema = try GraphQLSchema(contentsOf: file)       // schema.graphql, or an introspection result as schema.json
/// try schema.check(document)
/// ```
/// What is checked: that fields, arguments, types, directives, enum values and input fields exist, required ones are
/// there, selections are where they belong, variables fit where they stand, literals fit their types, and fragments and
/// variables are used (GraphQL, sections 5.2.1, 5.3.1, 5.3.3, 5.4, 5.5.1, 5.6, 5.7.1 and 5.8). Whether fields with one
/// name can be merged (5.3.2) and fragments can apply (5.5.2.3), the service alone tells.
///
/// A schema has at most 16 MB.
public struct GraphQLSchema: Sendable {
    let types: SchemaTypes

    /// Reads the schema definition language (GraphQL, section 3).
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``; its reason begins with line and
    ///   column, its cause is a ``DocumentProblem``.
    public init(_ text: String) throws(ServiceError) {
        do throws(DocumentProblem) {
            types = try SchemaParser.schema(text)
        } catch {
            throw ServiceError(.configuration, error.description, underlying: error)
        }
    }

    /// Reads the result of an introspection query (GraphQL, section 4), with or without `data` around it.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``; its reason names the place.
    public init(introspection data: Data) throws(ServiceError) {
        guard data.count <= SchemaParser.limits.bytes else {
            throw ServiceError(.configuration, "the schema has more than \(SchemaParser.limits.bytes) bytes")
        }
        do {
            types = try JSONDecoder().decode(Introspection.self, from: data).schema
        } catch {
            let failure = ServiceError(wrapping: error, as: .decoding, "the schema can't be read")
            throw ServiceError(.configuration, failure.reason, underlying: error)
        }
    }

    /// Reads a file: an introspection result where its name ends in `.json`, else the schema definition language.
    /// - Throws: As the others, and where the file can't be read; the reason begins with the file's name.
    public init(contentsOf file: URL) throws(ServiceError) {
        self = try QueryDocument.naming(file) { () throws(ServiceError) in
            let data = try QueryDocument.read(file, upTo: SchemaParser.limits.bytes)
            let isJSON = file.pathExtension.lowercased() == "json"
            return isJSON ? try Self(introspection: data) : try Self(try QueryDocument.text(data))
        }
    }

    /// What is wrong with a document, in the order of its text; at most 100 problems.
    public func problems(in document: QueryDocument) -> [DocumentProblem] {
        var check = SchemaCheck(types, document.syntax)
        return check.problems()
    }

    /// Checks every operation and fragment of a file, GraphQL or JSON with the document under `query`, whichever is sent.
    /// - Throws: As ``check(_:)`` and ``QueryDocument/init(contentsOf:operation:)``; the reason begins with the file's name.
    public func check(contentsOf file: URL) throws(ServiceError) {
        try QueryDocument.naming(file) { () throws(ServiceError) in
            let syntax = try QueryDocument.checkedSyntax(try QueryDocument.stored(in: file).query)
            var check = SchemaCheck(types, syntax)
            try report(check.problems())
        }
    }

    /// Checks a document.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` and a reason that lists the first
    ///   eight problems, each with line and column.
    public func check(_ document: QueryDocument) throws(ServiceError) {
        try report(problems(in: document))
    }

    private func report(_ problems: [DocumentProblem]) throws(ServiceError) {
        guard let first = problems.first else { return }
        let more = problems.count > 8 ? "; and \(problems.count - 8) more" : ""
        let text = problems.prefix(8).map(\.description).joined(separator: "; ")
        throw ServiceError(.configuration, "the document does not fit the schema: \(text)\(more)", underlying: first)
    }
}
