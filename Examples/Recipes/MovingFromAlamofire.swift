import Errand

extension Endpoint where Response == [Order] {
    static func orders(of customer: String, page: Int) -> Self {
        Endpoint(path: "customers/\(customer)/orders", parameters: ["page": page])
    }
}

struct OrderService: Sendable {
    private let client: APIClient

    init(_ account: OAuthAuthorizer, over session: some APISession = .platform) throws(ServiceError) {
        let shop = ShopEnvironment.production
        let intercepted: StandardSession = .standard(
            authorization: try AuthorizationInterceptor(account, at: shop), over: session)
        client = APIClient(environment: shop, session: intercepted, validators: [.serverError(ShopError.self)])
    }

    func orders(of customer: String) async throws(ServiceError) -> [Order] {
        try await client.request(.orders(of: customer, page: 1))
    }
}
