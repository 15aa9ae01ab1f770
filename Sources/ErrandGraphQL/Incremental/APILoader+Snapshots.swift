public import Errand

extension APILoader {
    /// Returns the snapshots of an operation with `@defer` or `@stream` (Incremental Delivery over HTTP).
    ///
    /// ```swift
    /// let document = try QueryDocument("query { film { title ... @defer(label: \"reviews\") { reviews } } }")
    /// let request = GraphQLRequest<NoVariables, FilmPage>(document, at: url)
    /// for try await snapshot in APILoader(request, session: session).snapshots() {
    ///     show(snapshot.response.data?.film, isLoading: snapshot.isPending("reviews"))
    /// }
    /// ```
    /// The service sends the response in several payloads. Each payload gives a snapshot of the complete response so
    /// far. The properties of the model for deferred fields must be optional, because they are `nil` in the first
    /// snapshots. After each payload that changes the response, the complete data is decoded, so the time for all
    /// snapshots grows with the number of payloads and the size of the data. The decoding stops at the deadline and
    /// after a cancellation.
    ///
    /// The sequence ends after the last payload, even if the service keeps the body open. The rest of the body, at most
    /// 64 kB in one second, is read in the background, so that the session can use the connection again.
    ///
    /// The payloads have the format of the GraphQL specification draft, in which the service announces parts, or the
    /// older format with a path in each payload. A service that does not support incremental delivery responds with one
    /// JSON text, which gives one complete snapshot.
    ///
    /// The request is sent once, and passes through the interceptors of the session. If the connection is lost, it is not
    /// sent again.
    ///
    /// - Parameters:
    ///   - variables: The variables of the operation.
    ///   - limit: The maximum number of bytes of the body. The default is 16 MB. A larger body throws
    ///     ``/Errand/ServiceError/Code/bodyTooLarge``.
    /// - Returns: The snapshots. They throw only ``/Errand/ServiceError``: with the errors of
    ///   ``GraphQLRequest/parseResponse(data:head:)`` for the merged response, with
    ///   ``/Errand/ServiceError/Code/badResponse`` if the body or a payload is not valid, and with
    ///   ``/Errand/ServiceError/Code/connectionLost`` if the body ends before the last payload.
    public func snapshots<Variables, Response>(
        _ variables: Variables, limit: Int = 16 << 20
    ) -> GraphQLSnapshots<Response> where T == GraphQLRequest<Variables, Response> {
        let loader = running(IncrementalHandler(wrapped: handler))
        return GraphQLSnapshots(
            connector: StreamConnector(loader, variables), decoder: handler.decoder, limit: max(0, limit))
    }

    /// Returns the snapshots of an operation with `@defer` or `@stream` and without variables.
    public func snapshots<Response>(
        limit: Int = 16 << 20
    ) -> GraphQLSnapshots<Response> where T == GraphQLRequest<NoVariables, Response> {
        snapshots(NoVariables(), limit: limit)
    }
}
