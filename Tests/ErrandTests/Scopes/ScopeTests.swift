import Errand
import ErrandTesting
import TestSupport
import Testing

private enum Desk {
    static func greeting<S: GuestAccess>() -> AuthorizedEndpoint<S, String> {
        Endpoint(path: "greeting").authorized(for: S.self)
    }

    static func rename<S: CustomerAccess>(to name: String) -> AuthorizedEndpoint<S, Customer> {
        Endpoint(method: .patch, path: "me", parameters: ["name": name]).authorized(for: S.self)
    }

    static func close<S: StaffAccess>() -> AuthorizedEndpoint<S, Void> {
        Endpoint(method: .delete, path: "desk").authorized(for: S.self)
    }

    static func number<S: CustomerAccess>() -> AuthorizedHandler<S, NumberAPI> {
        NumberAPI().authorized(for: S.self)
    }
}

private struct NumberAPI: APIHandler {
    func makeRequest(from _: Void) throws -> URLRequest {
        URLRequest(url: try ShopEnvironment.production.url(for: "number"))
    }
    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Int {
        try defaultParseResponse(data: data, response: response)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ScopeTests {
    private func client<S: AuthorizationScope>(_ scope: S.Type, _ session: ScriptedSession) -> AuthorizedClient<S> {
        AuthorizedClient(environment: ShopEnvironment.production, session: session)
    }

    @Test func `a scope sends its endpoints and those of included scopes`() async throws {
        let session = ScriptedSession([
            .text("Hello"), .text("Hi"), .json(#"{"name":"Eva"}"#), .text("Ho"), .json(#"{"name":"Bo"}"#),
            .status(204),
        ])
        #expect(try await client(Scope.Guest.self, session).request(Desk.greeting()) == "Hello")
        let customer = client(Scope.Customer.self, session)
        #expect(try await customer.request(Desk.greeting()) == "Hi")
        #expect(try await customer.request(Desk.rename(to: "Eva")) == Customer(name: "Eva"))
        let staff = client(Scope.Staff.self, session)
        #expect(try await staff.request(Desk.greeting()) == "Ho")
        #expect(try await staff.response(Desk.rename(to: "Bo")).value == Customer(name: "Bo"))
        try await staff.request(Desk.close())
        #expect(session.recorded.map(\.path).suffix(2) == ["/v1/me", "/v1/desk"])
        try session.verify()
    }

    @Test func `a handler is loaded by a client with its scope`() async throws {
        let session = ScriptedSession([.json("7"), .json("8")])
        let customer = client(Scope.Customer.self, session)
        #expect(try await customer.load(Desk.number()) == 7)
        #expect(try await customer.loaded(Desk.number(), ()).head.status == 200)
    }

    @Test func `client validators run before endpoint validators`() async throws {
        struct Refusal: Error, Decodable { let message: String }
        let session = ScriptedSession([.json(#"{"message":"No."}"#, status: 403)])
        let guest = AuthorizedClient<Scope.Guest>(
            environment: ShopEnvironment.production, session: session, validators: [.serverError(Refusal.self)])
        let error = await #expect(throws: ServiceError.self) { try await guest.request(Desk.greeting()) }
        #expect(error?.serverError is Refusal && error?.status == 403)
    }

    @Test func `cancelling the caller ends the call`() async throws {
        let session = ScriptedSession([.stall])
        let guest = client(Scope.Guest.self, session)
        let call = Task { try await guest.request(Desk.greeting()) }
        try await Soak.wait { session.recorded.count == 1 }
        call.cancel()
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .cancelled)
    }
}
