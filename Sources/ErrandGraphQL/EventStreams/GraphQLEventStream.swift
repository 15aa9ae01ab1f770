public import Errand

/// One event stream for several subscriptions (GraphQL over SSE, Single connection mode).
///
/// ```swift
/// let stream = GraphQLEventStream(at: url, session: session)
/// for try await update in stream.subscription(request, ["post": "1"]) {
///     show(try update.requireComplete().commentAdded)
/// }
/// ```
/// A subscription that is created with `subscription(_:options:)` of a loader has its own connection. With HTTP/1.1,
/// servers and intermediaries limit the number of connections. This class needs one connection for all subscriptions:
///
/// - The first subscription reserves the stream (PUT) and opens it (GET). The last one closes it.
/// - Each subscription sends its operation in a separate request, always to the URL of the stream.
/// - When a loop is left or its task is cancelled, the operation is ended at the service (DELETE).
/// - When the stream is lost, it is reserved again as ``options`` define, and all operations are sent again. Updates
///   that the service sends between two connections are lost.
///
/// Each request passes through the interceptors of the session. If the stream cannot be opened or continued, all
/// subscriptions end with the same error. The next subscription tries again.
///
/// If the service does not know the stream any more (status 404 for an operation), the stream is opened again for all
/// subscriptions.
///
/// The token of the reservation is a secret. It is sent only to the URL of the stream, and it is not printed. An HTTP archive
/// of the session masks it, unless the archive contains only the reservation.
///
/// To replay a recording of an event stream with a `ReplaySession`, use its pace `recorded` and the system clock. With
/// the pace `immediate`, all updates arrive when the stream is opened. An operation that is complete then is not sent,
/// and the updates of subscriptions that start later are lost.
public final class GraphQLEventStream: Sendable {
    /// The maximum number of updates that a subscription buffers by default: 256.
    public static let defaultBufferLimit: Int = 256

    /// The URL of the service.
    public let url: URL
    /// The options of the connections. `lastEventID` and the reconnection time that a server requests are ignored.
    public let options: EventOptions
    /// The maximum number of updates that are received for a subscription before its loop reads them.
    public let bufferLimit: Int
    private let hub: EventStreamHub

    /// Creates an event stream. It is opened with the first subscription.
    ///
    /// - Parameters:
    ///   - url: The URL of the service.
    ///   - session: The session that sends the requests. The default is the session of the platform.
    ///   - headers: Additional headers of the requests for the stream. Those of an operation are in its request.
    ///   - options: The options of the connections. The defaults are those of ``/Errand/EventOptions``.
    ///   - requestOptions: The options of the requests for the stream. A `totalTimeout` also limits each connection.
    ///     The stream is then opened again.
    ///   - bufferLimit: The maximum number of updates that are received for a subscription before its loop reads them.
    ///     The default is ``defaultBufferLimit``. The updates also have at most `eventLimit` bytes of the `options`,
    ///     together. A subscription with more updates ends with ``/Errand/ServiceError/Code/bodyTooLarge`` after the
    ///     updates that are buffered. Other subscriptions continue.
    ///   - time: The clock of the waits and deadlines. The default is the system clock.
    ///   - random: The random source of the waits. The default is that of the system.
    public init(
        at url: URL, session: some APISession = .platform, headers: HeaderFields = [:],
        options: EventOptions = EventOptions(), requestOptions: RequestOptions = RequestOptions(),
        bufferLimit: Int = defaultBufferLimit, time: some TimeSource = .system, random: some RandomSource = .system
    ) {
        (self.url, self.options, self.bufferLimit) = (url, options, max(1, bufferLimit))
        let handler = EventStreamHandler(url: url, headers: headers, requestOptions: requestOptions)
        let requests = EventStreamRequests(
            loader: APILoader(handler, session: session, time: time, random: random), time: time, random: random,
            options: options)
        hub = EventStreamHub(requests, bufferLimit: self.bufferLimit)
    }

    /// Returns the updates of a subscription.
    ///
    /// Each element is the response of a `next` event. The event `complete` ends the sequence.
    ///
    /// - Parameters:
    ///   - request: The subscription. It is sent to the URL of the stream with the headers and options of the request.
    ///   - variables: The variables of the operation.
    /// - Returns: The responses. Each iteration is a subscription. They throw only ``/Errand/ServiceError``: with
    ///   ``/Errand/ServiceError/Code/encoding`` if the operation is not a subscription, with
    ///   ``/Errand/ServiceError/Code/status`` and the ``Errand/ServiceError/graphQLErrors`` if the service refuses the
    ///   operation, with ``/Errand/ServiceError/Code/decoding`` if an event is not a GraphQL response, with
    ///   ``/Errand/ServiceError/Code/bodyTooLarge`` if the loop is too slow, and with the code of the last failure if
    ///   the stream is not opened again.
    public func subscription<Variables, Response>(
        _ request: GraphQLRequest<Variables, Response>, _ variables: Variables
    ) -> GraphQLStreamUpdates<GraphQLResponse<Response>> {
        updates(of: request, variables) { parser in try parser.response() }
    }

    /// Returns the data of the updates of a subscription. An update with errors ends the sequence.
    ///
    /// - Parameters:
    ///   - request: The subscription.
    ///   - variables: The variables of the operation.
    /// - Returns: The data. In addition to the errors of the sequence of responses, the error of
    ///   ``GraphQLResponse/requireComplete()`` is thrown.
    public func subscription<Variables, Response>(
        _ request: GraphQLCompleteRequest<Variables, Response>, _ variables: Variables
    ) -> GraphQLStreamUpdates<Response> {
        updates(of: request.wrapped, variables) { parser in try parser.complete().data }
    }

    /// Returns the updates of a subscription without variables.
    public func subscription<Response>(
        _ request: GraphQLRequest<NoVariables, Response>
    ) -> GraphQLStreamUpdates<GraphQLResponse<Response>> {
        subscription(request, NoVariables())
    }

    /// Returns the data of the updates of a subscription without variables. An update with errors ends the sequence.
    public func subscription<Response>(
        _ request: GraphQLCompleteRequest<NoVariables, Response>
    ) -> GraphQLStreamUpdates<Response> {
        subscription(request, NoVariables())
    }

    private func updates<Variables, Response, Update: Sendable>(
        of request: GraphQLRequest<Variables, Response>, _ variables: Variables,
        _ update: @escaping @Sendable (GraphQLResponseParser) throws -> Update
    ) -> GraphQLStreamUpdates<Update> {
        let (hub, decoder) = (hub, request.decoder)
        return GraphQLStreamUpdates(
            hub: hub,
            check: { () throws(ServiceError) in try request.checkSubscription() },
            send: { ticket, id throws(ServiceError) in
                let handler = StreamOperationHandler(wrapped: request, stream: hub.requests.handler, ticket, id)
                _ = try await hub.requests.loader.running(handler).load(variables)
            },
            update: { ticket, body in
                try update(GraphQLResponseParser(head: ticket.head, body: body, decoder: decoder, isEvent: true))
            })
    }
}
