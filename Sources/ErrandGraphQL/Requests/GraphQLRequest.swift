public import Errand

/// One GraphQL operation as a call: its input are the variables, its answer is a ``GraphQLResponse``.
///
/// ```swift
/// let document = try QueryDocument("query Character($id: ID!) { character(id: $id) { id name } }")
/// let request = GraphQLRequest<GraphQLVariables, CharacterPage>(document, at: url)
/// let answer = try await APILoader(request, session: session).load(["id": "1"])
/// let page = try answer.requireComplete()
/// ```
/// It is sent as GraphQL over HTTP says: by POST as JSON, or a query by GET where ``method`` says so, so that HTTP caches
/// can serve it. A query may be sent again where an interceptor retries, whatever its method, as it only reads (GraphQL, section
/// 2.3); a mutation may not, unless the `idempotency` of its ``options`` is `.byKey`, where the service knows that field, or
/// `.always`. A subscription can't be sent.
///
/// How an answer is judged, by media type, status and body, is told at ``parseResponse(data:head:)``.
public struct GraphQLRequest<Variables: Encodable & Sendable, Response: Decodable & Sendable>: APIHandler {
    /// The document, and which of its operations is meant.
    public var document: QueryDocument
    /// Where the service is; a query that the address has stays.
    public var url: URL
    /// ``/Errand/HTTPMethod/post``, the default, or ``/Errand/HTTPMethod/get`` for a query.
    public var method: HTTPMethod
    /// Fields of this call, or of the API; they win over the default ones.
    public var headers: HeaderFields
    /// Parameters that the service defines; none by default.
    public var extensions: [String: GraphQLValue]?
    /// How the call is carried out.
    public var options: RequestOptions
    /// What writes the variables.
    public var encoder: JSONEncoder
    /// What reads the data.
    public var decoder: JSONDecoder

    /// Describes a call.
    /// - Parameters:
    ///   - document: The document, and which of its operations is meant.
    ///   - url: Where the service is.
    ///   - method: POST, or GET for a query.
    ///   - decoder: What reads the data. By default keys are as they are written; `.snakeCase` turns `next_page` into
    ///     `nextPage`.
    ///   - encoder: What writes the variables, likewise.
    ///   - headers: Fields of this call, or of the API.
    ///   - options: How the call is carried out.
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

    /// The parameters that are sent for some variables.
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

    /// Makes the request: sections GET and POST.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/encoding``: for a mutation by GET, which is
    ///   forbidden (section GET), for a subscription, for another method, and for variables that can't be encoded.
    public func makeRequest(from variables: Variables) throws -> URLRequest {
        try checkMethod()
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        try setHeaders(headers, on: &request)
        setDefaultHeaders(on: &request, accept: GraphQLMedia.accept)
        let body = body(for: variables)
        if method == .get {
            try setQueryParams(try body.parameters(encoder), on: &request)
        } else {
            try setJSONBody(body, on: &request, encoder: encoder)
        }
        return request
    }

    /// The call's ``options``; a query may be repeated, and an address shows none of the parameters that it holds.
    public func options(for variables: Variables) -> RequestOptions {
        var options = options
        if document.operation.kind == .query, options.idempotency == .byMethod { options.idempotency = .always }
        if method == .get { for name in ["query", "variables", "extensions"] { options.redaction.hide(name) } }
        return options
    }

    private func checkMethod() throws(ServiceError) {
        guard method == .get || method == .post else {
            throw ServiceError(.encoding, "a GraphQL operation is sent by POST or GET")
        }
        switch document.operation.kind {
        case .query: return
        case .mutation where method == .get:
            throw ServiceError(.encoding, "a mutation must not be sent by GET (GraphQL over HTTP, GET)")
        case .mutation: return
        case .subscription:
            throw ServiceError(.encoding, "a subscription can't be sent as a request (GraphQL over HTTP, Overview)")
        }
    }
}

extension GraphQLRequest {
    /// The operation's name, or its kind if it has none: `query`.
    public var callName: String { document.operation.name ?? "\(document.operation.kind)" }

    /// None: ``parseResponse(data:head:)`` judges the status.
    public var validators: [ResponseValidator] { [] }

    /// Reads an answer, whatever its status (GraphQL over HTTP, sections Body and Status Codes).
    ///
    /// - `application/graphql-response+json`: the body alone decides.
    /// - `application/json`, or no type: the body decides where the status is 2xx. Otherwise only one with errors counts,
    ///   as anything between here and the service may have made it.
    /// - Any other type is no answer of a GraphQL service.
    ///
    /// - Throws: ``/Errand/ServiceError``: with ``/Errand/ServiceError/Code/status`` where the status is not 2xx and the body
    ///   no answer of a GraphQL service, ``/Errand/ServiceError/Code/validation`` for another media type, and
    ///   ``/Errand/ServiceError/Code/decoding`` for what is no GraphQL response, or whose data does not fit: its reason
    ///   names the place, and the answer's errors, which are often the cause, are in its
    ///   ``Errand/ServiceError/graphQLErrors``.
    public func parseResponse(data: Data, head: ResponseHead) throws -> GraphQLResponse<Response> {
        try GraphQLAnswer(head: head, body: data, decoder: decoder).response()
    }
}
