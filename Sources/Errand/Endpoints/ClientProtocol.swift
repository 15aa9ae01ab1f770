/// The interface of an API client. Code that depends on it can be tested with stubs that return typed values.
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
    /// Sends the request of an endpoint, and returns its value.
    /// - Throws: ``ServiceError`` for every failure.
    func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response
}
