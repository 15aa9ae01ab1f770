import Errand

extension GraphQLRequest {
    /// The parameters of a request, named as in GraphQL over HTTP (sections Request Parameters and JSON Encoding).
    ///
    /// Parameters that are `nil` are omitted. The key strategy of the encoder never changes the four names.
    public struct Body: Encodable, Sendable {
        /// The text of the document.
        public var query: String
        /// The name of the operation to run, or `nil` for an unnamed operation.
        public var operationName: String?
        /// The values of the variables.
        public var variables: Variables?
        /// Parameters that the service defines.
        public var extensions: [String: GraphQLValue]?

        /// Creates the parameters of a request.
        public init(
            query: String, operationName: String? = nil, variables: Variables?,
            extensions: [String: GraphQLValue]? = nil
        ) {
            self.query = query
            self.operationName = operationName
            self.variables = variables
            self.extensions = extensions
        }

        /// Encodes an object of the parameters.
        public func encode(to encoder: any Encoder) throws {
            var members: [String: (any Encodable & Sendable)?] = ["query": query]
            if let operationName { members["operationName"] = operationName }
            if let variables { members["variables"] = variables }
            if let extensions { members["extensions"] = extensions }
            try ExactMembers(members).encode(to: encoder)
        }

        /// Returns the parameters as query items. Objects are encoded as JSON text (section GET).
        func parameters(_ encoder: JSONEncoder) throws -> QueryParameters {
            QueryParameters(
                query: query, operationName: operationName,
                variables: try variables.map { String(decoding: try encoder.encode($0), as: UTF8.self) },
                extensions: try extensions.map { String(decoding: try encoder.encode($0), as: UTF8.self) })
        }
    }
}

extension GraphQLRequest.Body: CustomStringConvertible, CustomReflectable {
    /// Only the name of the operation, because variables may be secrets.
    public var description: String { "‹\(operationName ?? "unnamed operation")›" }
    /// A mirror that contains only the name of the operation.
    public var customMirror: Mirror { Mirror(self, children: ["operationName": operationName ?? ""]) }
}

/// The parameters of a GET request, in the order in which they are sent.
struct QueryParameters: Encodable {
    let query: String
    let operationName: String?
    let variables: String?
    let extensions: String?
}
