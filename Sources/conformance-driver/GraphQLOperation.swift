import Errand
import ErrandGraphQL

/// One GraphQL operation as the protocol describes it.
struct GraphQLOperation {
    private let request: GraphQLRequest<GraphQLValue?, GraphQLValue>
    private let variables: GraphQLValue?

    init(_ fields: OrderedJSON) throws(ServiceError) {
        guard let url = URL(string: fields["url"]?.string ?? "") else { throw ServiceError(.encoding, "no url") }
        let document = try QueryDocument(fields["query"]?.string ?? "", operation: Self.operation(fields))
        let method = HTTPMethod(fields["method"]?.string ?? "POST")
        request = GraphQLRequest(document, at: url, method: method)
        variables = try fields["variables"].map { json throws(ServiceError) in try Self.value(json) }
    }

    /// An empty name is none (GraphQL over HTTP, GET).
    private static func operation(_ fields: OrderedJSON) -> String? {
        fields["operationName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func value(_ json: OrderedJSON) throws(ServiceError) -> GraphQLValue {
        do {
            return try JSONDecoder().decode(GraphQLValue.self, from: Data(json.text.utf8))
        } catch {
            throw ServiceError(wrapping: error, as: .encoding, "the variables can't be read")
        }
    }

    private static func json(_ value: some Encodable) throws(ServiceError) -> OrderedJSON {
        do {
            return try OrderedJSON(parsing: String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        } catch {
            throw ServiceError(wrapping: error, as: .decoding, "the answer can't be written")
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
