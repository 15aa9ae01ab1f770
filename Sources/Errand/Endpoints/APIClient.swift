/// A client that sends the requests of endpoints to one environment.
///
/// ```swift
/// let client = APIClient(environment: ShopEnvironment.production)
/// let customer = try await client.request(.customer("7"))
/// ```
public struct APIClient: ClientProtocol {
    /// The environment of the API.
    public let environment: any APIEnvironment
    /// The session that sends the requests.
    public let session: any APISession
    /// The validators of every response, for example for the error type of the API. They run before the validators of
    /// the endpoint.
    public let validators: [ResponseValidator]
    private let time: any TimeSource
    private let random: any RandomSource

    /// Creates a client.
    /// - Parameters:
    ///   - environment: The environment of the API.
    ///   - session: The session that sends the requests. The default is the session of the platform.
    ///   - validators: The validators of every response. The default is empty.
    ///   - time: The clock of the requests. All interceptors use it for deadlines, waits and dates.
    ///   - random: The random source of the requests. It is used for idempotency keys and the jitter of retries.
    public init(
        environment: some APIEnvironment, session: some APISession = .platform, validators: [ResponseValidator] = [],
        time: some TimeSource = .system, random: some RandomSource = .system
    ) {
        self.environment = environment
        self.session = session
        self.validators = validators
        self.time = time
        self.random = random
    }

    /// Sends the request of an endpoint, and returns its value.
    /// - Throws: ``ServiceError`` for every failure.
    @concurrent
    public func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response {
        try await response(endpoint).value
    }

    /// Sends the request of an endpoint, and returns its value with the status and the headers.
    /// - Throws: ``ServiceError`` for every failure.
    @concurrent
    public func response<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Loaded<Response> {
        var endpoint = endpoint
        endpoint.validators = validators + endpoint.validators
        return try await loader(endpoint).response(environment)
    }

    func loader<Handler: APIHandler>(_ handler: Handler) -> APILoader<Handler> {
        APILoader(handler, over: session, on: time, from: random)
    }
}
