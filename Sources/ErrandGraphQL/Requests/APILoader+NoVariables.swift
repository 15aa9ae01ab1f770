public import Errand

extension APILoader {
    /// Runs an operation that has no variables.
    /// - Throws: ``Errand/ServiceError``, and nothing else.
    @concurrent
    public func load<Response>() async throws(ServiceError) -> GraphQLResponse<Response>
    where T == GraphQLRequest<NoVariables, Response> {
        try await load(NoVariables())
    }
}
