import Errand

/// The handler of an operation with incremental delivery. It accepts all statuses, because ``IncrementalReader`` checks
/// the response.
struct IncrementalHandler<Variables: Encodable & Sendable, Response: Decodable & Sendable>: WrappingHandler {
    let wrapped: GraphQLRequest<Variables, Response>

    func makeRequest(from variables: Variables) throws -> URLRequest {
        try wrapped.makeIncremental(from: variables)
    }
}
