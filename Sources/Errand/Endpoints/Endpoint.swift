/// An API call as a value: method, path, parameters, and the decoding of the response.
///
/// ```swift
/// extension Endpoint where Response == Customer {
///     static func customer(_ id: String) -> Self { Endpoint(path: "customers/\(id)") }
///     static func rename(_ id: String, to name: String) -> Self {
///         Endpoint(method: .patch, path: "customers/\(id)", parameters: ["name": name])
///     }
/// }
/// let customer = try await client.request(.customer("7"))
/// ```
/// An endpoint is an ``APIHandler`` with the environment as its input, so an ``APILoader`` can run it too.
public struct Endpoint<Response: Sendable>: Sendable {
    /// The type of the request method.
    public typealias Method = HTTPMethod

    /// The request method.
    public var method: Method
    /// The path below the environment's base URL.
    public var path: APIPath
    /// The parameters. By default, they are sent in the query of GET, HEAD and DELETE, and as a JSON body otherwise.
    public var parameters: Parameters?
    /// A body that replaces the body of the parameters, such as a form with files. The default is `nil`.
    public var body: RequestBody?
    /// The headers of the request. They override the headers of the environment and the default headers.
    public var headers: HeaderFields
    /// The validators of the response, in order. The default accepts only status 2xx.
    public var validators: [ResponseValidator]
    /// The options of the request.
    public var options: RequestOptions

    private let decode: @Sendable (Data, ResponseHead) throws -> Response

    /// Creates an endpoint that parses the response body with a closure.
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, body: RequestBody? = nil,
        headers: HeaderFields = [:], validators: [ResponseValidator] = [.status()],
        options: RequestOptions = RequestOptions(), decode: @escaping @Sendable (Data) throws -> Response
    ) {
        self.init(method, path, parameters, body, headers, validators, options) { data, _ in try decode(data) }
    }

    private init(
        _ method: Method, _ path: APIPath, _ parameters: Parameters?, _ body: RequestBody?, _ headers: HeaderFields,
        _ validators: [ResponseValidator], _ options: RequestOptions,
        _ parse: @escaping @Sendable (Data, ResponseHead) throws -> Response
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.body = body
        self.headers = headers
        self.validators = validators
        self.options = options
        self.decode = parse
    }
}

extension Endpoint where Response: Decodable {
    /// Creates an endpoint that decodes the response like
    /// ``ResponseHandler/defaultParseResponse(data:response:decoder:)``.
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, body: RequestBody? = nil,
        headers: HeaderFields = [:], validators: [ResponseValidator] = [.status()],
        options: RequestOptions = RequestOptions(), decoder: JSONDecoder = .errand
    ) {
        let parser = BodyParser(decoder: decoder)
        self.init(method, path, parameters, body, headers, validators, options) {
            try parser.parse(
                $0, contentType: $1.headers["Content-Type"], contentEncoding: $1.headers.combined("Content-Encoding"))
        }
    }
}

extension Endpoint {
    /// Unavailable. It provides the compiler message for a response type that is not `Decodable`.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "the response type, or the type of its elements, is not Decodable: make it Decodable or pass 'decode'"
    )
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, body: RequestBody? = nil,
        headers: HeaderFields = [:], validators: [ResponseValidator] = [.status()],
        options: RequestOptions = RequestOptions(), decoder: JSONDecoder = .errand
    ) {
        self.init(method, path, parameters, body, headers, validators, options) { _, _ in
            throw ServiceError(.configuration, "\(Response.self) is not Decodable")
        }
    }
}

extension Endpoint where Response == Void {
    /// Creates an endpoint that ignores the response body.
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, body: RequestBody? = nil,
        headers: HeaderFields = [:], validators: [ResponseValidator] = [.status()],
        options: RequestOptions = RequestOptions()
    ) {
        self.init(method, path, parameters, body, headers, validators, options) { _, _ in }
    }
}

extension Endpoint: APIHandler {
    /// Creates the request from the base URL and the default headers of an environment.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` or ``ServiceError/Code/encoding``.
    public func makeRequest(from environment: any APIEnvironment) throws -> URLRequest {
        var request = URLRequest(url: try environment.baseURL.url(for: path))
        request.httpMethod = method.rawValue
        try setHeaders(headers, on: &request)
        try setHeaders(environment.defaultHeaders, on: &request)
        setDefaultHeaders(on: &request)
        try parameters?.apply(to: &request)
        return request
    }

    /// The method and the path template, such as `GET customers/{id}`.
    public var callName: String { "\(method.rawValue) \(path.template)" }

    /// Returns the ``options`` of the endpoint.
    public func options(for environment: any APIEnvironment) -> RequestOptions { options }

    /// Returns the ``body`` of the endpoint.
    public func body(for environment: any APIEnvironment) -> RequestBody? { body }

    /// Parses the response with the decoder or the closure of the endpoint.
    public func parseResponse(data: Data, head: ResponseHead) throws -> Response { try decode(data, head) }
}
