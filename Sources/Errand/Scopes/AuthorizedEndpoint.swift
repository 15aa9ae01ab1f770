/// An ``Endpoint`` that only callers of a scope may send: the compiler refuses everybody else.
///
/// A declaration is generic over the caller, so that one serves all scopes that have the access:
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
/// As members of this type, so that `.profile` would do, they work as well, but what the compiler says of a wrong caller is
/// then hard to understand.
///
/// It is no ``APIHandler``, and the endpoint in it can't be taken out again: only ``AuthorizedClient`` sends it. What it
/// needs is stated where it is declared, ``Endpoint/authorized(for:)``, and can't be changed afterwards.
public struct AuthorizedEndpoint<Authorization: AuthorizationScope, Response: Sendable>: Sendable {
    /// Internal, as whoever had it could send it with any client.
    let raw: Endpoint<Response>

    init(raw: Endpoint<Response>) {
        self.raw = raw
    }
}

extension Endpoint {
    /// This endpoint, for callers of a scope alone.
    ///
    /// In a declaration that is generic over the caller the scope is that parameter, see ``AuthorizedEndpoint``.
    public func authorized<Authorization: AuthorizationScope>(
        for scope: Authorization.Type
    ) -> AuthorizedEndpoint<Authorization, Response> {
        AuthorizedEndpoint(raw: self)
    }
}
