/// A scope that a caller can have: a type without values, which the compiler compares.
///
/// An application declares its own scopes. A protocol refines this one for each access, and access protocols refine each
/// other: a customer may do what a guest may do.
/// ```swift
/// protocol GuestAccess: AuthorizationScope {}
/// protocol CustomerAccess: GuestAccess {}
/// enum Scope {
///     enum Guest: GuestAccess {}
///     enum Customer: CustomerAccess {}
/// }
/// ```
/// Endpoints state the access that they require (``AuthorizedEndpoint``), and clients state the scope that they have
/// (``AuthorizedClient``).
public protocol AuthorizationScope: SendableMetatype {}
