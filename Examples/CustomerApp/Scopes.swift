package import Errand

/// The access rights of every caller.
package protocol GuestAccess: AuthorizationScope {}
/// The access rights of customers, which include those of guests.
package protocol CustomerAccess: GuestAccess {}

package enum Scope {
    /// The scope of a caller that is not signed in.
    package enum Guest: GuestAccess {}
    /// The scope of a signed-in caller.
    package enum Customer: CustomerAccess {}
}
