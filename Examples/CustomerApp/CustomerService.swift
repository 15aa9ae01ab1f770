package import Errand

/// What the screens of a customer ask for.
package struct CustomerService: Sendable {
    private let client: AuthorizedClient<Scope.Customer>
    private let environment: ShopEnvironment

    package init(client: AuthorizedClient<Scope.Customer>, environment: ShopEnvironment) {
        self.client = client
        self.environment = environment
    }

    /// Two requests at once: it goes on when both are there, and one that fails ends the other.
    package func dashboard() async throws -> (customer: Customer, offers: [Offer]) {
        async let customer = client.request(API.Customer.get())
        async let offers = client.request(API.Offers.list())
        return try await (customer, offers)
    }

    /// Two requests, one after the other: the second needs what the first answered.
    package func changeAvatar(to image: Data) async throws(ServiceError) -> Customer {
        let uploaded = try await client.load(API.Images.upload(environment), image)
        return try await client.request(API.Customer.patch(avatarID: uploaded.id))
    }
}
