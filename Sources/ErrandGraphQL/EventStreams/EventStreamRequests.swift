import Errand

/// An open event stream.
struct EventStreamTicket: Sendable {
    /// The number of the connection.
    let number: Int
    let token: Secret
    /// The header section of the stream.
    let head: ResponseHead
}

/// The requests for an event stream.
package struct EventStreamRequests: Sendable {
    let loader: APILoader<EventStreamHandler>
    let time: any TimeSource
    let random: any RandomSource
    let options: EventOptions

    /// The time after which the request that ends an operation is cancelled: 10 seconds.
    package static let stopTimeout = Duration.seconds(10)

    var handler: EventStreamHandler { loader.handler }

    /// Reserves a stream, and returns its token (section Making reservations).
    func reserve() async throws(ServiceError) -> Secret {
        let loaded = try await loader.response(.reserve)
        guard loaded.head.status == 201 else {
            var error = ServiceError(
                .status, "expected status 201 for the reservation of an event stream, found \(loaded.head.status)")
            error.response = loaded.head
            throw error
        }
        return loaded.value
    }

    /// Returns the events and the changes of the connection of a reserved stream.
    func activities(_ token: Secret) -> EventSource<EventActivity> {
        var options = options
        (options.reconnects, options.lastEventID) = (false, "")
        return loader.events(.open(token), options: options).activities.refusing(.errand)
    }

    /// Ends an operation (section Stopping streaming operations). A failure has no effect, because the service ends all
    /// operations with the stream.
    func stop(_ id: String, _ token: Secret) async {
        var stopping = handler
        stopping.requestOptions.totalTimeout = Self.stopTimeout
        _ = try? await loader.running(stopping).load(.stop(id, token))
    }

    func moment(since start: Duration? = nil) -> EventSourceMachine.Moment {
        EventSourceMachine.Moment(elapsed: start.map { time.now - $0 } ?? .zero, draw: random.fraction())
    }

    func sleep(for duration: Duration) async throws(ServiceError) {
        do {
            try await time.sleep(until: time.now + duration)
        } catch {
            throw ServiceError(wrapping: error, as: .transport, "the wait before an attempt failed")
        }
    }
}

/// The handler of the requests for an event stream. Only the reservation has a value.
struct EventStreamHandler: APIHandler {
    enum Step: Sendable {
        case reserve
        case open(Secret)
        case stop(String, Secret)
    }

    /// The header of the token. The standard redaction hides it, because its name contains "token".
    static let tokenField = "X-GraphQL-Event-Stream-Token"
    /// The maximum number of bytes of a token: 4 kB, because servers refuse larger headers.
    private static let tokenLimit = 4_096

    let url: URL
    let headers: HeaderFields
    var requestOptions: RequestOptions

    var callName: String { "event stream" }

    func makeRequest(from step: Step) throws -> URLRequest {
        var request = URLRequest(url: url)
        switch step {
        case .reserve:
            request.httpMethod = HTTPMethod.put.rawValue
            try prepare(&request, accept: "text/plain")
        case .open(let token):
            try prepare(&request, accept: GraphQLMedia.events, token)
        case .stop(let id, let token):
            request.httpMethod = HTTPMethod.delete.rawValue
            try setQueryParams(["operationId": id], on: &request)
            try prepare(&request, accept: "*/*", token)
        }
        return request
    }

    private func prepare(_ request: inout URLRequest, accept: String, _ token: Secret? = nil) throws {
        if let token { request.setValue(token.reveal(), forHTTPHeaderField: Self.tokenField) }
        try setHeaders(headers, on: &request)
        setDefaultHeaders(on: &request, accept: accept)
    }

    func options(for step: Step) -> RequestOptions { requestOptions }

    /// Accepts status 2xx without GraphQL errors.
    var validators: [ResponseValidator] { [.graphQLErrors(.errand), .status()] }

    func parseResponse(data: Data, head: ResponseHead) throws -> Secret {
        guard head.status == 201 else { return Secret("") }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...Self.tokenLimit).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ServiceError(
                .badResponse, "expected a token of 1 to \(Self.tokenLimit) visible ASCII characters, found another body"
            )
        }
        return Secret(token)
    }
}

/// The handler of an operation over an event stream (section Executing operations).
struct StreamOperationHandler<Variables: Encodable & Sendable, Response: Decodable & Sendable>: WrappingHandler {
    let wrapped: GraphQLRequest<Variables, Response>
    private let token: Secret
    private let idempotency: RequestOptions.Idempotency

    init(
        wrapped: GraphQLRequest<Variables, Response>, stream: EventStreamHandler, _ ticket: EventStreamTicket,
        _ id: String
    ) {
        var request = wrapped
        // The token belongs to this URL.
        request.url = stream.url
        request.extensions = (request.extensions ?? [:]).merging(["operationId": .string(id)]) { _, new in new }
        (self.wrapped, token, idempotency) = (request, ticket.token, wrapped.options.idempotency)
    }

    func makeRequest(from variables: Variables) throws -> URLRequest {
        var request = try wrapped.makeSubscription(from: variables, accept: GraphQLMedia.json)
        request.setValue(token.reveal(), forHTTPHeaderField: EventStreamHandler.tokenField)
        return request
    }

    /// Returns the options of the request. A service refuses a second operation with the same ID, so a retry needs a
    /// setting of the caller.
    func options(for variables: Variables) -> RequestOptions {
        var options = wrapped.options(for: variables)
        options.idempotency = idempotency == .byMethod ? .never : idempotency
        return options
    }

    /// Accepts status 2xx without GraphQL errors. A service responds with 202, or with 204 if the operation has ended.
    var validators: [ResponseValidator] { SubscriptionHandler(wrapped: wrapped).validators + [.status()] }

    func parseResponse(data: Data, head: ResponseHead) throws -> Bool { true }
}
