import Errand

protocol GuestAccess: AuthorizationScope {}
protocol CustomerAccess: GuestAccess {}
protocol StaffAccess: CustomerAccess {}

enum Scope {
    enum Guest: GuestAccess {}
    enum Customer: CustomerAccess {}
    enum Staff: StaffAccess {}
}
