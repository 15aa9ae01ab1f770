import Errand
import ErrandTesting
import Testing

@Suite struct MovingRecipeTests {
    @Test func `a service migrated from Alamofire sends the credentials of its account`() async throws {
        let session = ScriptedSession([
            .json(#"[{"item":"tea","count":2}]"#), .json(#"{"message":"no such customer"}"#, status: 404),
        ])
        let url = try #require(URL(string: "https://id.shop.example/"))
        let account = OAuthAuthorizer(OAuthClient(id: "app", tokenEndpoint: url, session: ScriptedSession([])))
        try await account.signIn(OAuthToken(access: Secret("t0ken")))
        let service = try OrderService(account, over: session)
        #expect(try await service.orders(of: "a/b") == [Order(item: "tea", count: 2)])
        let sent = try #require(session.recorded.first)
        #expect(sent.path == "/v2/customers/a%2Fb/orders" && sent.headers["Authorization"] == "Bearer t0ken")
        let error = await #expect(throws: ServiceError.self) { try await service.orders(of: "7") }
        #expect((error?.serverError as? ShopError)?.message == "no such customer")
    }

    @Test func `targets migrated from Moya are sent and stubbed`() async throws {
        let session = ScriptedSession([.status(201), .json(#"[{"text":"good"}]"#), .status(204)])
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        let review = Review(text: "good")
        #expect(try await add(review, to: "tea", with: client) == [review])
        try await client.request(Reviews.remove("1"))
        #expect(session.recorded.map { $0.method.rawValue } == ["POST", "GET", "DELETE"])
        let stub = ReviewStub(reviews: [review])
        #expect(try await add(review, to: "tea", with: stub) == [review])
        await #expect(throws: ServiceError.self) { try await stub.request(.customer("7")) }
    }

    @Test func `existing requests are sent and decoded`() async throws {
        let stub = StubSession()
        stub.on(.get, "/photos", reply: .json(#"[{"id":"a"}]"#), .status(500))
        let url = stub.url.appending(path: "photos")
        #expect(try await photos(at: url, over: stub.urlSession).map(\.id) == ["a"])
        let error = await #expect(throws: ServiceError.self) { try await photos(at: url, over: stub.urlSession) }
        #expect(error?.status == 500)
        try stub.verify()
    }

    @Test func `requests migrated from zip run concurrently`() async throws {
        let session = ScriptedSession { request in
            request.path == "/v2/offers" ? .json(#"[{"title":"Tea"}]"#) : .json(#"{"id":"7","name":"Ada"}"#)
        }
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        let both = try await dashboard(of: "7", with: client)
        #expect(both == Dashboard(customer: Customer(id: "7", name: "Ada"), offers: [Offer(title: "Tea")]))
        #expect(session.recorded.count == 2)
    }
}
