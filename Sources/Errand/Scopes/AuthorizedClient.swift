/// Sends what a scope may send to one environment, over a session with that scope's credentials.
///
/// ```swift
/// let guest = AuthorizedClient<Scope.Guest>(environment: ShopEnvironment.production)
/// let offers = try await guest.request(Shop.offers())
/// ```
/// The scope is a claim that nothing checks at run time: the session is given already authorized. So make each client in
/// one place, the one where the session gets its credentials:
/// ```swift
/// extension AuthorizedClient<Scope.Customer> {
///     static func signedIn(_ authorization: some Interceptor, over session: some APISession = .platform) -> Self {
///         Self(environment: ShopEnvironment.production, session: session.intercepted(by: authorization))
///     }
/// }
/// ```
/// The server stays the judge: where it sees less in the credentials than the type says, it answers 401 or 403.
///
/// Code that is to work for several scopes is generic: `func show(_ client: AuthorizedClient<some GuestAccess>)`.
public struct AuthorizedClient<Authorization: AuthorizationScope>: Sendable {
    private let client: APIClient

    /// Where the API lives.
    public var environment: any APIEnvironment { client.environment }
    /// What requests go through.
    public var session: any APISession { client.session }
    /// What every endpoint's answer must pass, before the endpoint's own validators. Handlers bring their own.
    public var validators: [ResponseValidator] { client.validators }

    /// Makes a client.
    /// - Parameters:
    ///   - environment: Where the API lives.
    ///   - session: What requests go through, with the scope's credentials; the platform's by default.
    ///   - validators: What every endpoint's answer must pass.
    ///   - time: The clock of its requests: deadlines, waits and dates of all interceptors use it.
    ///   - random: The random source of its requests: idempotency keys and the jitter of retries use it.
    public init(
        environment: some APIEnvironment, session: some APISession = .platform, validators: [ResponseValidator] = [],
        time: some TimeSource = .system, random: some RandomSource = .system
    ) {
        client = APIClient(
            environment: environment, session: session, validators: validators, time: time, random: random)
    }

    /// Sends an endpoint's request and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func request<Response>(
        _ endpoint: AuthorizedEndpoint<Authorization, Response>
    ) async throws(ServiceError) -> Response {
        try await response(endpoint).value
    }

    /// Sends an endpoint's request and returns its value with the answer's head.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func response<Response>(
        _ endpoint: AuthorizedEndpoint<Authorization, Response>
    ) async throws(ServiceError) -> Loaded<Response> {
        try await client.response(endpoint.raw)
    }
}

extension AuthorizedClient {
    /// Runs a handler and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func load<Handler>(
        _ handler: AuthorizedHandler<Authorization, Handler>, _ data: Handler.RequestDataType
    ) async throws(ServiceError) -> Handler.ResponseDataType {
        try await loaded(handler, data).value
    }

    /// Runs a handler and returns its value with the answer's head.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func loaded<Handler>(
        _ handler: AuthorizedHandler<Authorization, Handler>, _ data: Handler.RequestDataType
    ) async throws(ServiceError) -> Loaded<Handler.ResponseDataType> {
        try await client.loader(handler.raw).response(data)
    }

    /// Runs a handler that needs no input and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func load<Handler>(
        _ handler: AuthorizedHandler<Authorization, Handler>
    ) async throws(ServiceError) -> Handler.ResponseDataType where Handler.RequestDataType == Void {
        try await load(handler, ())
    }
}
