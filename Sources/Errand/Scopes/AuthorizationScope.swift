/// An authorization scope, as a type without values. The compiler checks it at each call.
///
/// Declare a protocol for each level of access. A protocol that refines another one includes its access:
/// `CustomerAccess` includes `GuestAccess`. Then declare a type for each scope.
///
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
