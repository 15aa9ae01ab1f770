public import Errand

extension APILoader {
    /// Returns the updates of a subscription over server-sent events (GraphQL over SSE, Distinct connections mode).
    ///
    /// ```swift
    /// let request = GraphQLRequest<GraphQLVariables, CommentAdded>(document, at: url)
    /// for try await update in APILoader(request, session: session).subscription(["post": "1"]) {
    ///     show(try update.requireComplete().commentAdded)
    /// }
    /// ```
    /// Each element is the response of a `next` event, with data, errors, or both. The event `complete` ends the
    /// sequence. If the connection ends earlier, the source connects again according to `options`. It sends the last
    /// event ID if the service assigns IDs. Updates that the service does not send again are lost.
    ///
    /// Each connection passes through the interceptors of the session. By default, a POST request is repeated, too,
    /// because a subscription does not change data.
    ///
    /// - Parameters:
    ///   - variables: The variables of the operation.
    ///   - options: The options of the event source.
    /// - Returns: The responses. They throw only ``/Errand/ServiceError``: with the errors of
    ///   ``/Errand/APILoader/events(_:options:)``, with ``/Errand/ServiceError/Code/encoding`` if the operation is not
    ///   a subscription, with ``/Errand/ServiceError/Code/decoding`` if an event is not a GraphQL response, and with
    ///   ``/Errand/ServiceError/Code/connectionLost`` if the stream ends before `complete` and is not requested again.
    ///   If the service refuses the request with GraphQL errors instead of an event stream, they are in
    ///   ``Errand/ServiceError/graphQLErrors``. The code is then ``/Errand/ServiceError/Code/status`` for a status of
    ///   400 or above, and ``Errand/ServiceError/Code/graphQL`` otherwise.
    public func subscription<Variables, Response>(
        _ variables: Variables, options: EventOptions = EventOptions()
    ) -> EventSource<GraphQLResponse<Response>> where T == GraphQLRequest<Variables, Response> {
        updates(of: handler, variables, options) { parser in try parser.response() }
    }

    /// Returns the data of the updates of a subscription. An update with errors ends the sequence.
    ///
    /// ```swift
    /// for try await update in APILoader(request.complete(), session: session).subscription(["post": "1"]) {
    ///     show(update.commentAdded)
    /// }
    /// ```
    /// - Parameters:
    ///   - variables: The variables of the operation.
    ///   - options: The options of the event source.
    /// - Returns: The data. In addition to the errors of the sequence of responses, the error of
    ///   ``GraphQLResponse/requireComplete()`` is thrown.
    public func subscription<Variables, Response>(
        _ variables: Variables, options: EventOptions = EventOptions()
    ) -> EventSource<Response> where T == GraphQLCompleteRequest<Variables, Response> {
        updates(of: handler.wrapped, variables, options) { parser in try parser.complete().data }
    }

    /// Returns the updates of a subscription without variables.
    public func subscription<Response>(
        options: EventOptions = EventOptions()
    ) -> EventSource<GraphQLResponse<Response>> where T == GraphQLRequest<NoVariables, Response> {
        subscription(NoVariables(), options: options)
    }

    /// Returns the data of the updates of a subscription without variables. An update with errors ends the sequence.
    public func subscription<Response>(
        options: EventOptions = EventOptions()
    ) -> EventSource<Response> where T == GraphQLCompleteRequest<NoVariables, Response> {
        subscription(NoVariables(), options: options)
    }

    private func updates<Variables, Response, Update: Sendable>(
        of request: GraphQLRequest<Variables, Response>, _ variables: Variables, _ options: EventOptions,
        _ update: @escaping @Sendable (GraphQLResponseParser) throws -> Update
    ) -> EventSource<Update> {
        let decoder = request.decoder
        // Some services send the event `complete` without data.
        return running(SubscriptionHandler(wrapped: request)).events(variables, options: options)
            .converting(includingEmpty: true) { event, head in
                switch event.type {
                case "next":
                    let data = Data(event.data.utf8)
                    let parser = GraphQLResponseParser(head: head, body: data, decoder: decoder, isEvent: true)
                    return .value(try update(parser))
                case "complete": return .end
                default: return .skip
                }
            }
            .refusing(decoder)
    }
}
