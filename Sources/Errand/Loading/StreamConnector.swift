/// Makes and sends the request of a streamed body.
package struct StreamConnector: Sendable {
    private let makeRequest: @Sendable () throws(ServiceError) -> APIRequest
    private let transmit: @Sendable (APIRequest, CollectedBodies) async throws(ServiceError) -> Loaded<ResponseBody>

    package init<T: APIHandler>(_ loader: APILoader<T>, _ input: T.RequestDataType) {
        makeRequest = { () throws(ServiceError) in try loader.streamRequest(input) }
        transmit = { request, bodies throws(ServiceError) in try await loader.stream(request, collecting: bodies) }
    }

    /// Makes the request. Runs off the caller's actor, because it calls the handler.
    @concurrent
    package func request() async throws(ServiceError) -> APIRequest {
        try ServiceError.checkCancellation()
        return try makeRequest()
    }

    /// Sends a request. Returns after the validators have accepted the header section of the response.
    @concurrent
    func send(
        _ request: APIRequest, collecting bodies: CollectedBodies
    ) async throws(ServiceError) -> Loaded<ResponseBody> {
        let loaded = try await transmit(request, bodies)
        try loaded.value.codings.requireNone()
        return loaded
    }

    /// Sends a request. The bodies of responses with status 400 or above are collected.
    @concurrent
    package func send(_ request: APIRequest) async throws(ServiceError) -> Loaded<ResponseBody> {
        try await send(request, collecting: .ofRefusals)
    }
}
