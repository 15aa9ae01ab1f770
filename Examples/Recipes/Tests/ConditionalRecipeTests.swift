import Errand
import ErrandTesting
import Testing

@Suite struct ConditionalRecipeTests {
    @Test func `a list is loaded again only after a change`() async throws {
        let session = ScriptedSession([
            .json(#"[{"id":"7","name":"Ada"}]"#).header("ETag", "\"1\""), .status(304),
            .json("[]").header("ETag", "\"2\""),
        ])
        let shop = CustomEnvironment<APIPath>(name: "shop", baseURL: "https://shop.example")
        let loader = APILoader(CustomersAPI(environment: shop), session: session)
        var list = CustomerList()
        var changes: [Bool] = []
        for _ in 1...3 { changes.append(try await refresh(&list, with: loader)) }
        #expect(changes == [true, false, true] && list.customers.isEmpty)
        #expect(session.recorded.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
    }

    @Test func `a rename keeps the change of another client`() async throws {
        let session = ScriptedSession([.json(#"{"id":"7","name":"Bo"}"#), .status(412), .status(500)])
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        let (ada, seen) = (Customer(id: "7", name: "Ada"), ResourceValidators(entityTag: EntityTag("\"1\"")))
        #expect(try await renameUnchanged(ada, to: "Bo", seen, with: client)?.name == "Bo")
        #expect(try await renameUnchanged(ada, to: "Bo", seen, with: client) == nil)
        await #expect(throws: ServiceError.self) { try await renameUnchanged(ada, to: "Bo", seen, with: client) }
        #expect(session.recorded.allSatisfy { $0.headers["If-Match"] == "\"1\"" })
    }
}
