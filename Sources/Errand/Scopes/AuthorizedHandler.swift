/// An ``APIHandler`` that only callers of a scope can run. The compiler rejects all other callers.
///
/// ```swift
/// func search<S: CustomerAccess>() -> AuthorizedHandler<S, SearchAPI> {
///     SearchAPI(environment: .production).authorized(for: S.self)
/// }
/// let photos = try await customer.load(search(), SearchQuery(text: "dog"))
/// ```
/// The type is not a handler, and the handler in it is not accessible: only ``AuthorizedClient`` can run it.
public struct AuthorizedHandler<Authorization: AuthorizationScope, Handler: APIHandler>: Sendable {
    let raw: Handler

    init(raw: Handler) {
        self.raw = raw
    }
}

extension APIHandler {
    /// Restricts this handler to callers of a scope.
    public func authorized<Authorization: AuthorizationScope>(
        for scope: Authorization.Type
    ) -> AuthorizedHandler<Authorization, Self> {
        AuthorizedHandler(raw: self)
    }
}
