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

    /// Makes a client; the session is the platform's by default.
    public init(
        environment: some APIEnvironment, session: some APISession = .platform, validators: [ResponseValidator] = []
    ) {
        self.environment = environment
        self.session = session
        self.validators = validators
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
        return try await APILoader(endpoint, session: session).response(environment)
    }
}
