public import Errand

/// A request that fails if its response has any error. Create it with ``GraphQLRequest/complete()``.
///
/// ```swift
/// let loader = APILoader(GraphQLRequest<GraphQLVariables, BankSearchPage>(document, at: url).complete())
/// let banks = try await loader.load(["search": "Berlin"]).data.bankSearch
/// ```
/// Use it for code that receives a value or an error, such as callbacks and an `APIModel`. In all other respects, it is
/// the same as the ``GraphQLRequest``. For a mutation, an error does not mean that nothing was changed. Use the
/// ``GraphQLRequest``, and check the ``GraphQLResponse/outcome-swift.property``.
public struct GraphQLCompleteRequest<Variables: Encodable & Sendable, Response: Decodable & Sendable>:
    WrappingHandler
{
    /// The request.
    public var wrapped: GraphQLRequest<Variables, Response>

    /// Parses a response as ``GraphQLRequest/parseResponse(data:head:)`` does. Throws the error of
    /// ``GraphQLResponse/requireComplete()`` if the response has any error.
    public func parseResponse(data: Data, head: ResponseHead) throws -> GraphQLPage<Response> {
        let parser = GraphQLResponseParser(head: head, body: data, decoder: wrapped.decoder)
        return GraphQLPage(data: try parser.complete().data)
    }
}

extension GraphQLRequest {
    /// Returns the same request, which fails if its response has any error.
    public func complete() -> GraphQLCompleteRequest<Variables, Response> { GraphQLCompleteRequest(wrapped: self) }
}
