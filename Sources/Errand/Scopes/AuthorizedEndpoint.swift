/// An ``Endpoint`` that only callers of a scope can send. The compiler rejects all other callers.
///
/// A declaration is generic over the caller's scope, so that it serves all scopes that have the access:
/// ```swift
/// enum Shop {
///     static func offers<S: GuestAccess>() -> AuthorizedEndpoint<S, [Offer]> {
///         Endpoint(path: "offers").authorized(for: S.self)
///     }
///     static func profile<S: CustomerAccess>() -> AuthorizedEndpoint<S, Profile> {
///         Endpoint(path: "profile").authorized(for: S.self)
///     }
/// }
/// let profile = try await customer.request(Shop.profile())
/// try await guest.request(Shop.profile())
/// // error: static method 'profile()' requires that 'Scope.Guest' conform to 'CustomerAccess'
/// ```
/// The declarations can also be static members of this type, for the syntax `.profile`. Then the compiler's errors for
/// a caller with another scope are hard to understand.
///
/// The type is not an ``APIHandler``, and the endpoint in it is not accessible: only ``AuthorizedClient`` can send it.
/// The required access is stated in the declaration with ``Endpoint/authorized(for:)``, and cannot be changed
/// afterwards.
public struct AuthorizedEndpoint<Authorization: AuthorizationScope, Response: Sendable>: Sendable {
    /// Internal, because any client could send it.
    let raw: Endpoint<Response>

    init(raw: Endpoint<Response>) {
        self.raw = raw
    }
}

extension Endpoint {
    /// Restricts this endpoint to callers of a scope.
    ///
    /// In a generic declaration, the scope is the generic parameter. See ``AuthorizedEndpoint``.
    public func authorized<Authorization: AuthorizationScope>(
        for scope: Authorization.Type
    ) -> AuthorizedEndpoint<Authorization, Response> {
        AuthorizedEndpoint(raw: self)
    }
}
