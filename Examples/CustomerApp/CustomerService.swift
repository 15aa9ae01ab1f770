package import Errand

/// The API calls of the customer screens.
package struct CustomerService: Sendable {
    private let client: AuthorizedClient<Scope.Customer>
    private let environment: ShopEnvironment

    package init(client: AuthorizedClient<Scope.Customer>, environment: ShopEnvironment) {
        self.client = client
        self.environment = environment
    }

    /// Sends two concurrent requests and waits for both. If one fails, the other is cancelled.
    package func dashboard() async throws -> (customer: Customer, offers: [Offer]) {
        async let customer = client.request(API.Customer.get())
        async let offers = client.request(API.Offers.list())
        return try await (customer, offers)
    }

    /// Sends two requests in sequence. The second request contains a value of the first response.
    package func changeAvatar(to image: Data) async throws(ServiceError) -> Customer {
        let uploaded = try await client.load(API.Images.upload(environment), image)
        return try await client.request(API.Customer.patch(avatarID: uploaded.id))
    }
}
