/// Sends endpoints to one environment over one session.
///
/// ```swift
/// let client = APIClient(environment: ShopEnvironment.production)
/// let customer = try await client.request(.customer("7"))
/// ```
public struct APIClient: ClientProtocol {
    /// Where the API lives.
    public let environment: any APIEnvironment
    /// What requests go through.
    public let session: any APISession
    /// What every answer must pass, before the endpoint's own validators: the API's error type, for example.
    public let validators: [ResponseValidator]
    private let time: any TimeSource
    private let random: any RandomSource

    /// Makes a client.
    /// - Parameters:
    ///   - environment: Where the API lives.
    ///   - session: What requests go through; the platform's by default.
    ///   - validators: What every answer must pass.
    ///   - time: The clock of its requests: deadlines, waits and dates of all interceptors use it.
    ///   - random: The random source of its requests: idempotency keys and the jitter of retries use it.
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

    /// Sends an endpoint's request and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response {
        try await response(endpoint).value
    }

    /// Sends an endpoint's request and returns its value with the answer's head.
    /// - Throws: ``ServiceError``, and nothing else.
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
