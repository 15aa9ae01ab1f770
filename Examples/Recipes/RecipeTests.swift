import Errand
import ErrandGraphQL
import ErrandTesting
import TestSupport
import Testing

@Suite struct RecipeTests {
    @Test func `paths and environments make the addresses that they promise`() async throws {
        let staging = try GalleryEnvironment.staging.url(for: .photo(id: "a/b"))
        #expect(staging.absoluteString == "https://api.staging.gallery.example/v1/photos/a%2Fb")
        let local = CustomEnvironment<GalleryPath>(name: "local", baseURL: "http://localhost:1")
        #expect(try local.url(for: .photos).absoluteString == "http://localhost:1/photos")
    }

    @Test func `an endpoint is requested in one line`() async throws {
        let session = ScriptedSession([.json(#"{"id":"7","name":"Ada"}"#), .json(#"{"id":"8","name":"Bo"}"#)])
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        #expect(try await client.request(.rename("7", to: "Ada")) == Customer(id: "7", name: "Ada"))
        #expect(try await client.request(.add(Customer(id: "8", name: "Bo"))) == Customer(id: "8", name: "Bo"))
        #expect(
            session.recorded.map(\.body) == [
                .data(Data(#"{"name":"Ada"}"#.utf8)), .data(Data(#"{"id":"8","name":"Bo"}"#.utf8)),
            ])
    }

    @Test func `a posted comment comes back with its receipt, or with one error`() async throws {
        let session = ScriptedSession([
            .json(#"{"id":"r1"}"#, status: 201), .json(#"{"message":"Too long."}"#, status: 422), .status(500),
        ])
        let loader = APILoader(CommentAPI(environment: .production), session: session)
        let comment = Comment(text: "Lovely", stars: 5)
        #expect(await post(comment, with: loader) == "r1")
        #expect(await post(comment, with: loader) == "Too long.")
        let line = await post(comment, with: loader)
        #expect(line == "status 500 POST https://api.shop.example/v2/comments: the server answered 500")
    }

    @Test func `an account's session shows its token to the API alone`() async throws {
        let api = try GalleryEnvironment.production.url(for: .photos)
        let server = ScriptedSession([])
        let account = OAuthAuthorizer(OAuthClient(id: "x", tokenEndpoint: api, session: server))
        try await account.signIn(OAuthToken(access: Secret("t0ken")))
        let script = ScriptedSession([.json("[]"), .json("[]")])
        let session = accountSession(account, at: api, over: script)
        for environment in [GalleryEnvironment.production, .staging] {
            _ = try await APILoader(GalleryAPI(environment: environment), session: session).load(GalleryQuery())
        }
        #expect(script.recorded.map { $0.fields["Authorization"] } == ["Bearer t0ken", nil])
    }

    @Test func `a call says what happened to it`() async throws {
        let clock = InstantClock()
        let script = ScriptedSession([.status(503), .json("[]")], time: clock)
        let retry = RetryLayer(time: clock, random: FixedRandom(fraction: 0.5))
        let session: StandardSession = .standard(retry: retry, over: script)
        let loader = APILoader(GalleryAPI(environment: .production), session: session, time: clock)
        #expect(
            try await explained(loader) == """
                0 photos
                 0.0 ms  retry  503 Service Unavailable in 0.0 ms; attempt 1; again in 50.0 ms: status 503
                50.0 ms  retry  200 OK in 0.0 ms; attempt 2
                """)
    }

    @Test func `a layer of one's own adds its field`() async throws {
        let session = ScriptedSession([.json("[]")])
        let layered = signedIn(Secret("abc"), on: session)
        _ = try await APILoader(GalleryAPI(environment: .production), session: layered).load(
            GalleryQuery())
        #expect(session.recorded.first?.head.value(forHTTPHeaderField: "Authorization") == "Bearer abc")
    }

    @Test func `each scope sends what it may`() async throws {
        let session = ScriptedSession([
            .json(#"[{"title":"Tea"}]"#), .json(#"{"id":"7","name":"Ada"}"#), .status(204),
        ])
        let guest = AuthorizedClient<Scope.Guest>(environment: ShopEnvironment.production, session: session)
        let customer = signedIn(as: Scope.Customer.self, Secret("c"), over: session)
        #expect(try await welcome(guest, customer) == "Ada, there are 1 offers")
        let staff = signedIn(as: Scope.Staff.self, Secret("s"), over: session)
        try await staff.request(Shop.withdraw(Offer(title: "Tea")))
        let tokens = session.recorded.map { $0.head.value(forHTTPHeaderField: "Authorization") }
        #expect(tokens == [nil, "Bearer c", "Bearer s"])
    }

    @Test @MainActor func `a controller gets its photos on its own actor`() async {
        let controller = GalleryController()
        controller.reload(
            APILoader(GalleryAPI(environment: .production), session: ScriptedSession([.json(#"[{"id":"a"}]"#)])))
        while controller.photos.isEmpty { await Task.yield() }
        #expect(controller.photos.map(\.id) == ["a"])
    }

    @Test @MainActor func `a search as you type shows what it found`() async {
        let session = ScriptedSession([.json(#"[{"id":"a"},{"id":"b"}]"#)])
        let search = PhotoSearch(APILoader(SearchAPI(environment: .production), session: session))
        let answer = await search.type("dog")
        #expect(answer == "2 photos" && search.model.state.value?.count == 2)
        #expect(session.recorded.map { $0.url?.query() } == ["text=dog"])
    }

    @Test @MainActor func `pages are appended until no link names a next one`() async {
        let session = ScriptedSession([
            .json(#"[{"id":"a"}]"#).field("Link", "</v1/photos?page=2>; rel=next"), .json(#"[{"id":"b"}]"#),
        ])
        let model = APIModel(
            APILoader(GalleryAPI(environment: .production), session: session), more: .numbered(\.page))
        model.load(GalleryQuery())
        await model.settled()
        #expect(model.canLoadMore)
        model.loadMore()
        #expect(await model.settled().value?.map(\.id) == ["a", "b"])
        #expect(!model.canLoadMore && session.recorded.map { $0.url?.query() } == ["page=1", "page=2"])
    }

    @Test func `streams are read as they come, and sent from files`() async throws {
        let place = try #require(URL(string: "https://logs.example/today"))
        let session = ScriptedSession([.chunks([Data("ERROR a\nok\nER".utf8), Data("ROR b".utf8)]), .status(201)])
        #expect(try await tail(place, over: session) == 2)
        let film = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString).mov")
        try Data("film".utf8).write(to: film)
        defer { try? FileManager.default.removeItem(at: film) }
        #expect(try await upload(film, to: place, over: session) == 201)
        #expect(session.recorded.last?.body == .file(film))
    }

    @Test func `a list is read as far as it is wanted`() async throws {
        func page(_ number: Int) -> CannedReply {
            .json(#"[{"id":"\#(number)a"},{"id":"\#(number)b"}]"#).field("Link", "<?page=\(number + 1)>; rel=next")
        }
        let session = ScriptedSession([page(1), page(2)])
        let loader = APILoader(GalleryAPI(environment: .production), session: session)
        #expect(try await newest(3, with: loader).map(\.id) == ["1a", "1b", "2a"])
        try session.verify()
    }

    @Test func `a GraphQL query has its data, or says why not`() async throws {
        let url = try #require(URL(string: "https://heroes.example/graphql"))
        let session = ScriptedSession([
            .json(#"{"data":{"hero":{"name":"Leia","homeworld":"Alderaan"}}}"#),
            .json(#"{"data":{"hero":{"name":"Leia"}},"errors":[{"message":"no planet","path":["hero","homeworld"]}]}"#),
        ])
        #expect(try await hero("5", at: url, over: session).homeworld == "Alderaan")
        let error = await #expect(throws: ServiceError.self) { try await hero("5", at: url, over: session) }
        #expect(error?.code == .graphQL && error?.graphQLErrors.first?.path == ["hero", "homeworld"])
    }

    @Test func `a mutation has three ends`() async throws {
        let url = try #require(URL(string: "https://heroes.example/graphql"))
        let session = ScriptedSession([
            .json(#"{"data":{"rename":{"name":"Ben"}}}"#),
            .json(#"{"data":{"rename":{"name":"Ben"}},"errors":[{"message":"m","path":["rename","homeworld"]}]}"#),
            .json(#"{"errors":[{"message":"m","extensions":{"code":"FORBIDDEN"}}]}"#, status: 403),
        ])
        var ends: [String] = []
        for _ in 1...3 { ends.append(try await rename("Obi-Wan", to: "Ben", at: url, over: session)) }
        #expect(ends == ["Ben", "Ben but for 1 fields", #"refused: ["FORBIDDEN"]"#])
        let body = String(decoding: session.recorded.first?.body.data ?? Data(), as: UTF8.self)
        #expect(body.hasSuffix(#""variables":{"input":{"hero":"Obi-Wan","name":"Ben"}}}"#))
    }

    @Test func `each Swift sample of the README is a part of an example`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let readme = try String(contentsOf: folder.appending(path: "../../README.md"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let examples = try files.map { lines(try String(contentsOf: $0, encoding: .utf8)) }
        let samples = readme.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
            .filter { !$0.contains("package: ") && !$0.contains(".package(") }
        #expect(samples.count >= 3)
        for sample in samples {
            #expect(examples.contains { $0.contains(lines(sample)) }, "\(sample)")
        }
    }

    /// A text without indentation, blank lines and the formatter's taste in blanks.
    private func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
