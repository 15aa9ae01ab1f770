/// Sends the endpoints that a scope permits to one environment, over a session with the credentials of that scope.
///
/// ```swift
/// let guest = AuthorizedClient<Scope.Guest>(environment: ShopEnvironment.production)
/// let offers = try await guest.request(Shop.offers())
/// ```
/// The scope is not checked at run time, because the session already has its credentials. Create the client in the same
/// function that adds the credentials to the session:
/// ```swift
/// extension AuthorizedClient<Scope.Customer> {
///     static func signedIn(_ authorization: some Interceptor, over session: some APISession = .platform) -> Self {
///         Self(environment: ShopEnvironment.production, session: session.intercepted(by: authorization))
///     }
/// }
/// ```
/// The server still decides. If the credentials permit less than the type states, it responds with 401 or 403.
///
/// Code for several scopes is generic: `func show(_ client: AuthorizedClient<some GuestAccess>)`.
public struct AuthorizedClient<Authorization: AuthorizationScope>: Sendable {
    private let client: APIClient

    /// The environment of the API.
    public var environment: any APIEnvironment { client.environment }
    /// The session that sends the requests.
    public var session: any APISession { client.session }
    /// The validators for every endpoint's response. They run before the endpoint's own validators. Handlers have their
    /// own validators.
    public var validators: [ResponseValidator] { client.validators }

    /// Creates a client.
    /// - Parameters:
    ///   - environment: The environment of the API.
    ///   - session: The session that sends the requests, with the credentials of the scope. The default is the
    ///     platform's session.
    ///   - validators: The validators for every endpoint's response.
    ///   - time: The clock of the requests. All interceptors use it for deadlines, waits and dates.
    ///   - random: The random source of the requests. It is used for idempotency keys and the jitter of retries.
    public init(
        environment: some APIEnvironment, session: some APISession = .platform, validators: [ResponseValidator] = [],
        time: some TimeSource = .system, random: some RandomSource = .system
    ) {
        client = APIClient(
            environment: environment, session: session, validators: validators, time: time, random: random)
    }

    /// Sends an endpoint's request and returns its value.
    /// - Throws: ``ServiceError`` only.
    @concurrent
    public func request<Response>(
        _ endpoint: AuthorizedEndpoint<Authorization, Response>
    ) async throws(ServiceError) -> Response {
        try await response(endpoint).value
    }

    /// Sends an endpoint's request and returns its value with the response's status and headers.
    /// - Throws: ``ServiceError`` only.
    @concurrent
    public func response<Response>(
        _ endpoint: AuthorizedEndpoint<Authorization, Response>
    ) async throws(ServiceError) -> Loaded<Response> {
        try await client.response(endpoint.raw)
    }
}

extension AuthorizedClient {
    /// Runs a handler and returns its value.
    /// - Throws: ``ServiceError`` only.
    @concurrent
    public func load<Handler>(
        _ handler: AuthorizedHandler<Authorization, Handler>, _ data: Handler.RequestDataType
    ) async throws(ServiceError) -> Handler.ResponseDataType {
        try await loaded(handler, data).value
    }

    /// Runs a handler and returns its value with the response's status and headers.
    /// - Throws: ``ServiceError`` only.
    @concurrent
    public func loaded<Handler>(
        _ handler: AuthorizedHandler<Authorization, Handler>, _ data: Handler.RequestDataType
    ) async throws(ServiceError) -> Loaded<Handler.ResponseDataType> {
        try await client.loader(handler.raw).response(data)
    }

    /// Runs a handler without input and returns its value.
    /// - Throws: ``ServiceError`` only.
    @concurrent
    public func load<Handler>(
        _ handler: AuthorizedHandler<Authorization, Handler>
    ) async throws(ServiceError) -> Handler.ResponseDataType where Handler.RequestDataType == Void {
        try await load(handler, ())
    }
}
