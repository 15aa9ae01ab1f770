/// An ``APIHandler`` that only callers of a scope may run: the compiler refuses everybody else.
///
/// ```swift
/// func search<S: CustomerAccess>() -> AuthorizedHandler<S, SearchAPI> {
///     SearchAPI(environment: .production).authorized(for: S.self)
/// }
/// let photos = try await customer.load(search(), SearchQuery(text: "dog"))
/// ```
/// It is no handler itself, and the one in it can't be taken out again: only ``AuthorizedClient`` runs it.
public struct AuthorizedHandler<Authorization: AuthorizationScope, Handler: APIHandler>: Sendable {
    let raw: Handler

    init(raw: Handler) {
        self.raw = raw
    }
}

extension APIHandler {
    /// This handler, for callers of a scope alone.
    public func authorized<Authorization: AuthorizationScope>(
        for scope: Authorization.Type
    ) -> AuthorizedHandler<Authorization, Self> {
        AuthorizedHandler(raw: self)
    }
}
