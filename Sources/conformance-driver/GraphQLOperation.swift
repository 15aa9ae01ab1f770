import Errand
import ErrandGraphQL

/// A GraphQL operation of the driver's protocol.
struct GraphQLOperation {
    private let request: GraphQLRequest<GraphQLValue?, GraphQLValue>
    private let variables: GraphQLValue?

    init(_ fields: OrderedJSON) throws(ServiceError) {
        guard let url = URL(string: fields["url"]?.string ?? "") else {
            throw ServiceError(.encoding, "invalid url: expected a URL")
        }
        let document = try QueryDocument(fields["query"]?.string ?? "", operation: Self.operation(fields))
        let method = HTTPMethod(fields["method"]?.string ?? "POST")
        request = GraphQLRequest(document, at: url, method: method)
        variables = try fields["variables"].map { json throws(ServiceError) in try Self.value(json) }
    }

    /// Returns the operation's name. An empty name is treated as absent (GraphQL over HTTP, GET).
    private static func operation(_ fields: OrderedJSON) -> String? {
        fields["operationName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func value(_ json: OrderedJSON) throws(ServiceError) -> GraphQLValue {
        do {
            return try JSONDecoder().decode(GraphQLValue.self, from: Data(json.text.utf8))
        } catch {
            throw ServiceError(wrapping: error, as: .encoding, "invalid variables: expected JSON")
        }
    }

    private static func json(_ value: some Encodable) throws(ServiceError) -> OrderedJSON {
        do {
            return try OrderedJSON(parsing: String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        } catch {
            throw ServiceError(wrapping: error, as: .decoding, "the response cannot be encoded as JSON")
        }
    }

    func answer(over session: any APISession) async throws(ServiceError) -> Operation.Answer {
        let response = try await APILoader(request, session: session).load(variables)
        let kind =
            switch response.outcome {
            case .data: "data"
            case .partial: "partial"
            case .requestError: "request-error"
            }
        return [
            ("data", try Self.json(response.data)), ("errors", try Self.json(response.errors)),
            ("kind", .string(kind)),
        ]
    }
}
