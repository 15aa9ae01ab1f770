extension APILoader where T.RequestDataType == Void {
    /// Runs an API call without input and returns its body as a stream.
    /// - Throws: Only ``ServiceError``.
    @concurrent
    public func stream() async throws(ServiceError) -> Loaded<ResponseBody> {
        try await stream(())
    }

    /// Runs an API call without input and returns its value.
    /// - Throws: Only ``ServiceError``.
    @concurrent
    public func load() async throws(ServiceError) -> T.ResponseDataType {
        try await load(())
    }

    /// Runs an API call without input and returns its value with the header section of the response.
    /// - Throws: Only ``ServiceError``.
    @concurrent
    public func response() async throws(ServiceError) -> Loaded<T.ResponseDataType> {
        try await response(())
    }
}
