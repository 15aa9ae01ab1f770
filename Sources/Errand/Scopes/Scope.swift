/// The scopes that callers can have: types without values, which the compiler compares.
///
/// A scope conforms to the access that it grants, and access protocols refine each other: what a guest may do, a customer
/// may do, too. A scope of your own is two lines:
/// ```swift
/// protocol StaffAccess: CustomerAccess {}         // staff may do all that customers may
/// extension Scope { enum Staff: StaffAccess {} }
/// ```
/// Endpoints say which access they need (``AuthorizedEndpoint``), clients say which scope they have
/// (``AuthorizedClient``).
public enum Scope {
    /// Somebody who has not signed in.
    public enum Guest: GuestAccess {}
    /// Somebody who has signed in: may do all that guests may.
    public enum Customer: CustomerAccess {}
}

/// What everybody may do: the access that ``Scope/Guest`` has, and every scope whose protocol refines this one.
public protocol GuestAccess: SendableMetatype {}

/// What customers may do beyond ``GuestAccess``.
public protocol CustomerAccess: GuestAccess {}
