/// What code that calls an API with a scope depends on, so that its tests can answer with typed results.
///
/// ```swift
/// struct ClientStub: AuthorizedClientProtocol {
///     typealias Authorization = Scope.Customer
///     let profile: Profile
///     func request<Response>(
///         _ endpoint: AuthorizedEndpoint<Scope.Customer, Response>
///     ) async throws(ServiceError) -> Response {
///         guard let value = profile as? Response else { throw ServiceError(.configuration, "no such stub") }
///         return value
///     }
/// }
/// struct Greeter { let client: any AuthorizedClientProtocol<Scope.Customer> }
/// ```
public protocol AuthorizedClientProtocol<Authorization>: Sendable {
    /// The scope of the client, such as ``Scope/Customer``.
    associatedtype Authorization

    /// Sends an endpoint's request and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    func request<Response>(
        _ endpoint: AuthorizedEndpoint<Authorization, Response>
    ) async throws(ServiceError) -> Response
}
