public import Errand

extension APILoader where T.RequestDataType == NoVariables {
    /// Runs an operation without variables.
    /// - Throws: Only ``/Errand/ServiceError``.
    @concurrent
    public func load() async throws(ServiceError) -> T.ResponseDataType { try await load(NoVariables()) }

    /// Runs an operation without variables. The result also has the status, the headers and the trail of the response.
    /// - Throws: Only ``/Errand/ServiceError``.
    @concurrent
    public func response() async throws(ServiceError) -> Loaded<T.ResponseDataType> {
        try await response(NoVariables())
    }
}
