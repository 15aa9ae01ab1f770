import Errand

nonisolated struct Offer: Codable, Equatable, Sendable { let title: String }

protocol GuestAccess: AuthorizationScope {}
protocol CustomerAccess: GuestAccess {}  // customers have all rights of guests
enum Scope {
    enum Guest: GuestAccess {}
    enum Customer: CustomerAccess {}
}

enum Shop {
    static func offers<S: GuestAccess>() -> AuthorizedEndpoint<S, [Offer]> {
        Endpoint(path: "offers").authorized(for: S.self)
    }

    static func profile<S: CustomerAccess>() -> AuthorizedEndpoint<S, Customer> {
        Endpoint(path: "profile").authorized(for: S.self)
    }

    static func withdraw<S: CustomerAccess>(_ offer: Offer) -> AuthorizedEndpoint<S, Void> {
        Endpoint(method: .delete, path: "offers/\(offer.title)").authorized(for: S.self)
    }
}

/// Adds the credentials to the session and names the scope. No other code does either.
func signedIn<S: AuthorizationScope>(as scope: S.Type, _ token: Secret, over session: some APISession)
    -> AuthorizedClient<S>
{
    AuthorizedClient(
        environment: ShopEnvironment.production, session: session.intercepted(by: BearerToken(token: token)))
}

func welcome(_ guest: AuthorizedClient<Scope.Guest>, _ customer: AuthorizedClient<Scope.Customer>) async throws
    -> String
{
    let offers = try await guest.request(Shop.offers())
    let profile = try await customer.request(Shop.profile())
    // guest.request(Shop.profile()) does not compile: 'profile()' requires that 'Scope.Guest' conform to 'CustomerAccess'
    return "\(profile.name), there are \(offers.count) offers"
}
