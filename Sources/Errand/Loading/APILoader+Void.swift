extension APILoader where T.RequestDataType == Void {
    /// Runs a call that needs no input up to the answer's head.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func stream() async throws(ServiceError) -> Loaded<ResponseBody> {
        try await stream(())
    }

    /// Runs a call that needs no input and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func load() async throws(ServiceError) -> T.ResponseDataType {
        try await load(())
    }

    /// Runs a call that needs no input and returns its value with the answer's head.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func response() async throws(ServiceError) -> Loaded<T.ResponseDataType> {
        try await response(())
    }
}
