/// One API call as a value: method, path, parameters, and how to read the answer.
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
/// It is an ``APIHandler`` whose input is the environment, so that ``APILoader`` runs it too.
public struct Endpoint<Response: Sendable>: Sendable {
    /// A request method, under the name that reads well here.
    public typealias Method = HTTPMethod

    /// The request method.
    public var method: Method
    /// The path below the environment's base URL.
    public var path: APIPath
    /// What is sent: in the query of GET, HEAD and DELETE, else in the body, as JSON unless it says otherwise.
    public var parameters: Parameters?
    /// Fields of this call; they win over the environment's and the default ones.
    public var headers: HeaderFields
    /// What an answer must pass, in order; 2xx only by default.
    public var validators: [ResponseValidator]
    /// How the call is carried out.
    public var options: RequestOptions

    private let decode: @Sendable (Data, ResponseHead) throws -> Response

    /// Describes a call whose answer a closure reads.
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, headers: HeaderFields = [:],
        validators: [ResponseValidator] = [.status()], options: RequestOptions = RequestOptions(),
        decode: @escaping @Sendable (Data) throws -> Response
    ) {
        self.init(method, path, parameters, headers, validators, options) { data, _ in try decode(data) }
    }

    private init(
        _ method: Method, _ path: APIPath, _ parameters: Parameters?, _ headers: HeaderFields,
        _ validators: [ResponseValidator], _ options: RequestOptions,
        _ parse: @escaping @Sendable (Data, ResponseHead) throws -> Response
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.headers = headers
        self.validators = validators
        self.options = options
        self.decode = parse
    }
}

extension Endpoint where Response: Decodable {
    /// Describes a call whose answer is decoded as ``ResponseHandler/defaultParseResponse(data:response:decoder:)`` does.
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, headers: HeaderFields = [:],
        validators: [ResponseValidator] = [.status()], options: RequestOptions = RequestOptions(),
        decoder: JSONDecoder = .errand
    ) {
        let parser = BodyParser(decoder: decoder)
        self.init(method, path, parameters, headers, validators, options) {
            try parser.parse(
                $0, contentType: $1.fields["Content-Type"], contentEncoding: $1.fields.combined("Content-Encoding"))
        }
    }
}

extension Endpoint {
    /// Unavailable: exists for the compiler's message about a response that is not `Decodable`.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "the response type, or the type of its elements, is not Decodable: make it Decodable or pass 'decode'"
    )
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, headers: HeaderFields = [:],
        validators: [ResponseValidator] = [.status()], options: RequestOptions = RequestOptions(),
        decoder: JSONDecoder = .errand
    ) {
        self.init(method, path, parameters, headers, validators, options) { _, _ in
            throw ServiceError(.configuration, "\(Response.self) is not Decodable")
        }
    }
}

extension Endpoint where Response == Void {
    /// Describes a call whose answer's body does not matter.
    public init(
        method: Method = .get, path: APIPath, parameters: Parameters? = nil, headers: HeaderFields = [:],
        validators: [ResponseValidator] = [.status()], options: RequestOptions = RequestOptions()
    ) {
        self.init(method, path, parameters, headers, validators, options) { _, _ in }
    }
}

extension Endpoint: APIHandler {
    /// Makes the request of an environment's base URL and default headers.
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

    /// Method and path template: `GET customers/{id}`.
    public var callName: String { "\(method.rawValue) \(path.template)" }

    /// The endpoint's own ``options``.
    public func options(for environment: any APIEnvironment) -> RequestOptions { options }

    /// Reads the answer with the endpoint's decoder.
    public func parseResponse(data: Data, head: ResponseHead) throws -> Response { try decode(data, head) }
}
