public import Errand

extension APILoader where T.RequestDataType == NoVariables {
    /// Runs an operation that has no variables.
    /// - Throws: ``/Errand/ServiceError``, and nothing else.
    @concurrent
    public func load() async throws(ServiceError) -> T.ResponseDataType { try await load(NoVariables()) }

    /// Runs an operation that has no variables, and returns its answer's head and trail as well.
    /// - Throws: ``/Errand/ServiceError``, and nothing else.
    @concurrent
    public func response() async throws(ServiceError) -> Loaded<T.ResponseDataType> {
        try await response(NoVariables())
    }
}
