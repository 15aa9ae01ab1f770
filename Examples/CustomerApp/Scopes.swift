package import Errand

/// What everyone may do.
package protocol GuestAccess: AuthorizationScope {}
/// What customers may do in addition.
package protocol CustomerAccess: GuestAccess {}

package enum Scope {
    /// A caller that has not signed in.
    package enum Guest: GuestAccess {}
    /// A caller that has signed in.
    package enum Customer: CustomerAccess {}
}
