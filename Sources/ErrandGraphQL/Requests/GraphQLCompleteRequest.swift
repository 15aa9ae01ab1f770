public import Errand

/// An operation that fails where its answer has any error; ``GraphQLRequest/complete()`` makes it.
///
/// ```swift
/// let loader = APILoader(GraphQLRequest<GraphQLVariables, BankSearchPage>(document, at: url).complete())
/// let banks = try await loader.load(["search": "Berlin"]).data.bankSearch
/// ```
/// For code that is given a value or an error, such as callbacks and an `APIModel`. Otherwise it is the ``GraphQLRequest``
/// itself. Of a mutation, an error does not mean that nothing was done: use the ``GraphQLRequest``, and look at the
/// ``GraphQLResponse/outcome-swift.property``.
public struct GraphQLCompleteRequest<Variables: Encodable & Sendable, Response: Decodable & Sendable>:
    WrappingHandler
{
    /// The call.
    public var wrapped: GraphQLRequest<Variables, Response>

    /// As ``GraphQLRequest/parseResponse(data:head:)``, and throws as ``GraphQLResponse/requireComplete()``.
    public func parseResponse(data: Data, head: ResponseHead) throws -> GraphQLPage<Response> {
        let answer = GraphQLAnswer(head: head, body: data, decoder: wrapped.decoder)
        return GraphQLPage(data: try answer.complete().data)
    }
}

extension GraphQLRequest {
    /// The same call, which fails where the answer has any error.
    public func complete() -> GraphQLCompleteRequest<Variables, Response> { GraphQLCompleteRequest(wrapped: self) }
}
