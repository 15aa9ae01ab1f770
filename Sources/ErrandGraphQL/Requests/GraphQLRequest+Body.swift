import Errand

extension GraphQLRequest {
    /// The parameters of one call, as GraphQL over HTTP names them (Request Parameters; JSON Encoding).
    ///
    /// What is nil is left out. The four names are never changed by the encoder's strategy for keys.
    public struct Body: Encodable, Sendable {
        /// The document's text.
        public var query: String
        /// Which operation of the document is meant; nil for one without a name.
        public var operationName: String?
        /// The variables' values.
        public var variables: Variables?
        /// Parameters that the service defines.
        public var extensions: [String: GraphQLValue]?

        /// Puts the parameters of one call together.
        public init(
            query: String, operationName: String? = nil, variables: Variables?,
            extensions: [String: GraphQLValue]? = nil
        ) {
            self.query = query
            self.operationName = operationName
            self.variables = variables
            self.extensions = extensions
        }

        /// Writes an object of the parameters.
        public func encode(to encoder: any Encoder) throws {
            var members: [String: (any Encodable & Sendable)?] = ["query": query]
            if let operationName { members["operationName"] = operationName }
            if let variables { members["variables"] = variables }
            if let extensions { members["extensions"] = extensions }
            try ExactMembers(members).encode(to: encoder)
        }

        /// The same as items of a query: objects are JSON texts (section GET).
        func parameters(_ encoder: JSONEncoder) throws -> QueryParameters {
            QueryParameters(
                query: query, operationName: operationName,
                variables: try variables.map { String(decoding: try encoder.encode($0), as: UTF8.self) },
                extensions: try extensions.map { String(decoding: try encoder.encode($0), as: UTF8.self) })
        }
    }
}

extension GraphQLRequest.Body: CustomStringConvertible, CustomReflectable {
    /// The operation's name alone: variables may be secrets.
    public var description: String { "‹\(operationName ?? "an operation without a name")›" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["operationName": operationName ?? ""]) }
}

/// The parameters of a GET request, in the order in which they are sent.
struct QueryParameters: Encodable {
    let query: String
    let operationName: String?
    let variables: String?
    let extensions: String?
}
