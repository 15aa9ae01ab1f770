package import Errand

/// The program of `swift run examples customer-app`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
package enum CustomerAppExample {
    package static func run(
        at url: URL, over session: some APISession = .platform, print: @Sendable (String) -> Void
    ) async throws {
        let shop = Shop(at: url, session: session)
        try await shop.guest.request(API.Feedback.post(email: "eva@example.org", message: "Nice shop"))
        print("a guest has left feedback")
        // try await shop.guest.request(API.Customer.get()) does not compile

        let expired = OAuthToken(access: Secret("expired"), refresh: Secret("r1"))
        let service = CustomerService(client: try shop.customer(expired), environment: shop.environment)
        let (customer, offers) = try await service.dashboard()
        print("\(customer.firstName) \(customer.lastName), \(offers.count) offers, after one refresh of the token")
        let changed = try await service.changeAvatar(to: Data("a picture".utf8))
        print("the avatar is now \(changed.avatarID ?? "none")")

        let field = await LocationField(shop.locations)
        for text in ["B", "Be", "Ber"] { await field.type(text) }
        await field.settled()
        print("suggestions: \(await field.suggestions.map(\.name).joined(separator: ", "))")
        print(try API.Terms.get().makeRequest(from: shop.environment).cURLCommand())
    }
}
