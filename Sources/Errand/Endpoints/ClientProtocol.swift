/// What code that calls an API depends on, so that its tests can answer with typed results.
///
/// ```swift
/// struct ClientStub: ClientProtocol {
///     let customer: Customer
///     func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response {
///         guard let value = customer as? Response else { throw ServiceError(.configuration, "no such stub") }
///         return value
///     }
/// }
/// ```
public protocol ClientProtocol: Sendable {
    /// Sends an endpoint's request and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response
}
