import Errand

struct Dashboard: Equatable, Sendable { let customer: Customer, offers: [Offer] }

extension Endpoint where Response == [Offer] {
    static var offers: Self { Endpoint(path: "offers") }
}

func dashboard(of id: String, with client: some ClientProtocol) async throws -> Dashboard {
    async let customer = client.request(.customer(id))
    async let offers = client.request(.offers)
    return try await Dashboard(customer: customer, offers: offers)  // an error of one request cancels the other
}
