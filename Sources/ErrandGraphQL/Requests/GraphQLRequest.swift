public import Errand

/// A request for a GraphQL operation. Its input is the operation's variables, and its result is a ``GraphQLResponse``.
///
/// ```swift
/// let document = try QueryDocument("query Character($id: ID!) { character(id: $id) { id name } }")
/// let request = GraphQLRequest<GraphQLVariables, CharacterPage>(document, at: url)
/// let response = try await APILoader(request, session: session).load(["id": "1"])
/// let page = try response.requireComplete()
/// ```
/// The request is sent as GraphQL over HTTP defines: as JSON by POST or, if ``method`` is GET, as a query in the URL,
/// so that HTTP caches can serve it. Retry interceptors may repeat a query with any method, because it only reads
/// (GraphQL, section 2.3). They do not repeat a mutation, unless the `idempotency` of its ``options`` is `.byKey`, if
/// the service supports that header, or `.always`.
///
/// A loader receives the updates of a subscription with `subscription(_:options:)`, and uploads files with
/// `load(_:files:)`.
///
/// ``parseResponse(data:head:)`` describes how media type, status and body determine the result.
public struct GraphQLRequest<Variables: Encodable & Sendable, Response: Decodable & Sendable>: APIHandler {
    /// The document and the operation to run.
    public var document: QueryDocument
    /// The URL of the service. Its query items are preserved.
    public var url: URL
    /// The HTTP method: ``/Errand/HTTPMethod/post`` (the default), or ``/Errand/HTTPMethod/get`` for a query or a
    /// subscription.
    public var method: HTTPMethod
    /// Additional headers, of this request or of the API. They take precedence over the default headers.
    public var headers: HeaderFields
    /// Parameters that the service defines. The default is `nil`.
    public var extensions: [String: GraphQLValue]?
    /// The options of the request.
    public var options: RequestOptions
    /// The encoder of the variables.
    public var encoder: JSONEncoder
    /// The decoder of the data.
    public var decoder: JSONDecoder

    /// Creates a request.
    /// - Parameters:
    ///   - document: The document and the operation to run.
    ///   - url: The URL of the service.
    ///   - method: POST (the default), or GET for a query or a subscription.
    ///   - decoder: The decoder of the data. By default, keys are unchanged. `.snakeCase` converts `next_page` to
    ///     `nextPage`.
    ///   - encoder: The encoder of the variables. By default, keys are unchanged. `.snakeCase` converts `nextPage` to
    ///     `next_page`.
    ///   - headers: Additional headers, of this request or of the API.
    ///   - options: The options of the request.
    public init(
        _ document: QueryDocument, at url: URL, method: HTTPMethod = .post, decoder: JSONDecoder = .errand,
        encoder: JSONEncoder = .errand, headers: HeaderFields = [:], options: RequestOptions = RequestOptions()
    ) {
        self.document = document
        self.url = url
        self.method = method
        self.headers = headers
        self.options = options
        self.decoder = decoder
        self.encoder = encoder
    }

    /// Returns the parameters that are sent with the given variables.
    public func body(for variables: Variables) -> Body {
        Body(
            query: document.text, operationName: document.operation.name,
            variables: Self.isNothing(variables) ? nil : variables, extensions: extensions)
    }

    private static func isNothing(_ variables: any Sendable) -> Bool {
        switch variables {
        case is NoVariables, Optional<any Sendable>.none: true
        default: false
        }
    }

    /// Creates the HTTP request (sections GET and POST).
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/encoding`` for a mutation by GET, which is
    ///   forbidden (section GET), for a subscription, for methods other than GET and POST, and for variables that
    ///   cannot be encoded.
    public func makeRequest(from variables: Variables) throws -> URLRequest {
        try checkMethod()
        return try makeRequest(from: variables, accept: GraphQLMedia.accept)
    }

    /// Creates the HTTP request of an operation with incremental delivery.
    func makeIncremental(from variables: Variables) throws -> URLRequest {
        try checkMethod()
        return try makeRequest(from: variables, accept: GraphQLMedia.acceptIncremental)
    }

    /// Creates the HTTP request of a subscription (GraphQL over SSE). The default media type is that of the Distinct
    /// connections mode.
    func makeSubscription(from variables: Variables, accept: String = GraphQLMedia.events) throws -> URLRequest {
        try checkSubscription()
        return try makeRequest(from: variables, accept: accept)
    }

    func checkSubscription() throws(ServiceError) {
        guard document.operation.kind == .subscription else {
            throw ServiceError(.encoding, "expected a subscription, found a \(document.operation.kind)")
        }
        try checkHTTPMethod()
    }

    private func makeRequest(from variables: Variables, accept: String) throws -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        try setHeaders(headers, on: &request)
        setDefaultHeaders(on: &request, accept: accept)
        let body = body(for: variables)
        if method == .get {
            try setQueryParams(try body.parameters(encoder), on: &request)
        } else {
            try setJSONBody(body, on: &request, encoder: encoder)
        }
        return request
    }

    /// Returns the ``options`` of the request. Except for a mutation, an `idempotency` of `.byMethod` becomes `.always`.
    /// For GET, the redaction also hides the `query`, `variables` and `extensions` items of the URL.
    public func options(for variables: Variables) -> RequestOptions {
        var options = options
        if document.operation.kind != .mutation, options.idempotency == .byMethod { options.idempotency = .always }
        if method == .get { for name in ["query", "variables", "extensions"] { options.redaction.hide(name) } }
        return options
    }

    private func checkHTTPMethod() throws(ServiceError) {
        guard method == .get || method == .post else {
            throw ServiceError(
                .encoding, "expected method POST or GET for a GraphQL operation, found \(method.rawValue)")
        }
    }

    private func checkMethod() throws(ServiceError) {
        try checkHTTPMethod()
        switch document.operation.kind {
        case .query: return
        case .mutation where method == .get:
            throw ServiceError(.encoding, "expected method POST for a mutation, found GET (GraphQL over HTTP, GET)")
        case .mutation: return
        case .subscription:
            throw ServiceError(
                .encoding, "expected a query or mutation, found a subscription: use subscription(_:options:)")
        }
    }
}

extension GraphQLRequest {
    /// The name of the operation, or its kind if it is unnamed: `query`.
    public var callName: String { document.operation.name ?? "\(document.operation.kind)" }

    /// An empty array, because ``parseResponse(data:head:)`` validates the status.
    public var validators: [ResponseValidator] { [] }

    /// Parses a response with any status (GraphQL over HTTP, sections Body and Status Codes).
    ///
    /// - `application/graphql-response+json`: The body alone determines the result.
    /// - `application/json`, or no media type: The body determines the result if the status is 2xx. With other
    ///   statuses, only a body with errors and without data is accepted, because an intermediary may have created any
    ///   other body.
    /// - Other media types: The response is not from a GraphQL service.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/status`` if the status is not 2xx and the
    ///   response is not from a GraphQL service, with ``/Errand/ServiceError/Code/validation`` for another media type,
    ///   and with ``/Errand/ServiceError/Code/decoding`` if the body is not a GraphQL response or its data has an
    ///   unexpected type. The reason of a decoding error contains the coding path. The errors of the response, which
    ///   are often the cause, are in its ``Errand/ServiceError/graphQLErrors``.
    public func parseResponse(data: Data, head: ResponseHead) throws -> GraphQLResponse<Response> {
        try GraphQLResponseParser(head: head, body: data, decoder: decoder).response()
    }
}
