import Errand
import ErrandTesting
import Testing

@Suite struct ListRecipeTests {
    @Test func `pages are requested only as far as needed`() async throws {
        func page(_ number: Int) -> CannedReply {
            .json(#"[{"id":"\#(number)a"},{"id":"\#(number)b"}]"#).header("Link", "<?page=\(number + 1)>; rel=next")
        }
        let session = ScriptedSession([page(1), page(2)])
        let loader = APILoader(GalleryAPI(environment: .production), session: session)
        #expect(try await newest(3, with: loader).map(\.id) == ["1a", "1b", "2a"])
        try session.verify()
    }

    @Test func `a page sequence continues at a saved position`() async throws {
        let session = ScriptedSession([
            .json(#"{"users":[{"id":"a"}],"cursor":"2"}"#), .json(#"{"users":[{"id":"b"}],"cursor":"3"}"#),
            .json(#"{"users":[{"id":"c"}]}"#),
        ])
        let loader = APILoader(UserSearch(environment: .production), session: session)
        let query = UserQuery(text: "ada", cursor: nil)
        let first = try await read(query, from: nil, with: loader)
        #expect(first.users.map(\.id) == ["a", "b"] && first.position != nil)
        let second = try await read(query, from: first.position, with: loader)
        #expect(second.users.map(\.id) == ["c"] && second.position == nil)
        #expect(session.recorded.map { $0.url?.query() } == ["text=ada", "text=ada&cursor=2", "text=ada&cursor=3"])
        try session.verify()
    }

    @Test func `numbered pages are loaded until one is empty`() async throws {
        let session = ScriptedSession([
            .json(#"[{"name":"tea"},{"name":"cup"}]"#), .json(#"[{"name":"pot"}]"#), .json("[]"),
        ])
        let loader = APILoader(ProductsAPI(environment: .production), session: session)
        #expect(try await productNames(with: loader) == ["tea", "cup", "pot"])
        #expect(session.recorded.map { $0.url?.query() } == (1...3).map { "page=\($0)&perPage=2" })
    }
}
