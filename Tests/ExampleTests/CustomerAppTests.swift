import CustomerApp
import Errand
import ErrandLoopback
import ErrandTesting
import ExampleServers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CustomerAppTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `two concurrent requests share one token refresh`() async throws {
        let shop = ShopServer()
        try await withServer(shop.reply) { server, session in
            let app = Shop(at: server.url, session: session)
            let client = try app.customer(OAuthToken(access: Secret("expired"), refresh: Secret("r1")))
            let service = CustomerService(client: client, environment: app.environment)
            let (customer, offers) = try await service.dashboard()
            #expect(customer.firstName == "Eva" && offers.map(\.title) == ["Tea", "Coffee"])
            #expect(shop.refreshes == 1)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the second request contains a value of the upload response`() async throws {
        let shop = ShopServer()
        try await withServer(shop.reply) { server, session in
            let app = Shop(at: server.url, session: session)
            let client = try app.customer(OAuthToken(access: Secret("a1"), refresh: Secret("r1")))
            let service = CustomerService(client: client, environment: app.environment)
            let customer = try await service.changeAvatar(to: Data("png".utf8))
            #expect(customer.avatarID == "7" && server.statistics.requests == 2)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `only the latest text is requested, and a short text never`() async throws {
        let session = ScriptedSession([.json(#"[{"name":"Berlin"}]"#), .status(500)])
        let time = ManualClock()
        let loader = APILoader(
            AutocompleteAPI(environment: ShopEnvironment(name: "test", baseURL: "https://shop.test")),
            session: session, time: time)
        let field = await LocationField(loader)
        for text in ["B", "Be", "Ber"] { await field.type(text) }
        try await time.advance(by: .milliseconds(300), sleeping: 1)
        await field.settled()
        #expect(await field.suggestions.map(\.name) == ["Berlin"])
        #expect(session.recorded.map { $0.url?.query() } == ["query=Ber"])
        await field.type("B")
        #expect(await field.suggestions.isEmpty)
        await field.type("Bo")
        #expect(await field.suggestions.isEmpty, "suggestions of a previous text are not shown")
        try await time.advance(by: .milliseconds(300), sleeping: 1)
        await field.settled()
        #expect(await field.suggestions.isEmpty, "a failure has no suggestions")
        try session.verify()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `requests in flight are counted`() async throws {
        try await withServer { _ in
            .stall
        } _: { server, session in
            let app = Shop(at: server.url, session: session)
            let call = Task { try await app.guest.request(API.Feedback.post(email: "a", message: "b")) }
            for await statistics in server.statisticsUpdates where statistics.requests == 1 { break }
            #expect(app.activity.current == 1)
            call.cancel()
            _ = await call.result
            #expect(app.activity.current == 0)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the request of a screen is cancelled with the screen`() async throws {
        try await withServer { _ in
            .stall
        } _: { server, session in
            let activity = ActivityTracker()
            let environment = ShopEnvironment(name: "test", baseURL: BaseURL(server.url))
            var screen: TermsScreen? = await TermsScreen()
            await screen?.appear(environment, session: session.intercepted(by: activity))
            for await statistics in server.statisticsUpdates where statistics.requests == 1 { break }
            #expect(activity.current == 1)
            screen = nil
            #expect(await Soak.eventually { activity.current == 0 })
        }
    }

    @Test func `a test can replace the client`() async throws {
        struct Stub: ClientProtocol {
            func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response {
                guard let sample = Terms.sample, let value = sample as? Response else {
                    throw ServiceError(.configuration, "no stub")
                }
                return value
            }
        }
        let client: any ClientProtocol = Stub()
        #expect(try await client.request(API.Terms.get()).text == "Be kind.")
        let session = ScriptedSession([.json(#"{"text":"From a server."}"#)])
        let environment = ShopEnvironment(name: "test", baseURL: "https://shop.test")
        let real = Client(environment: environment, session: session)
        #expect(try await real.request(API.Terms.get()).text == "From a server.")
    }
}

extension Terms {
    fileprivate static let sample = try? JSONDecoder().decode(Terms.self, from: Data(#"{"text":"Be kind."}"#.utf8))
}
