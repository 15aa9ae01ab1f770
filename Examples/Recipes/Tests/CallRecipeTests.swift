import Errand
import ErrandTesting
import Testing

@Suite struct CallRecipeTests {
    @Test func `the first samples use the real network`() async {
        await RealNetwork.forbidden {
            let first = await #expect(throws: ServiceError.self) { try await firstPage() }
            #expect(first?.code == .configuration && first?.reason.contains("GalleryAPI") == true)
            let second = await #expect(throws: ServiceError.self) { try await renamed() }
            #expect(second?.code == .configuration && second?.reason.contains("PATCH ") == true)
        }
    }

    @Test func `paths and environments create the documented URLs`() async throws {
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

    @Test func `a posted comment returns its receipt or one error`() async throws {
        let session = ScriptedSession([
            .json(#"{"id":"r1"}"#, status: 201), .json(#"{"message":"Too long."}"#, status: 422), .status(500),
        ])
        let loader = APILoader(CommentAPI(environment: .production), session: session)
        let comment = Comment(text: "Lovely", stars: 5)
        #expect(await post(comment, with: loader) == "r1")
        #expect(await post(comment, with: loader) == "Too long.")
        let line = await post(comment, with: loader)
        #expect(line == "status 500 POST https://api.shop.example/v2/comments: the server responded with status 500")
    }

    @Test func `each failure has its own caption`() async {
        let session = ScriptedSession([
            .json(#"{"id":"1","description":"A lake"}"#), .json(#"{"id":"2"}"#), .status(404),
            .failure(URLError(.notConnectedToInternet)), .json("{"),
        ])
        let loader = APILoader(PhotoAPI(environment: .production), session: session)
        var captions: [String] = []
        for id in 1...5 { captions.append(await caption(of: "\(id)", with: loader)) }
        #expect(captions.prefix(4) == ["A lake", "untitled", "this photo is gone", "the gallery can't be reached"])
        #expect(captions.last == "The response of the server could not be understood.")
        #expect(session.recorded.first?.path == "/v1/photos/1")
    }

    @Test func `a handler parses CSV`() async throws {
        let session = ScriptedSession([
            .data(Data("currency;rate\nUSD;1.08\nJPY;162.5\n".utf8), type: "text/csv"),
            .data(Data("currency;rate\nUSD;much\n".utf8), type: "text/csv"), .data(Data(), type: "text/csv"),
            .text("Sorry"), .json(#"{"message":"no such day"}"#, status: 404),
        ])
        let loader = APILoader(RatesAPI(environment: .production), session: session)
        let first = try await rates(of: ["USD", "JPY"], on: "2026-11-20", with: loader)
        #expect(first == [Rate(currency: "USD", perEuro: 1.08), Rate(currency: "JPY", perEuro: 162.5)])
        #expect(session.recorded.first?.url?.query() == "currency=USD&currency=JPY&day=2026-11-20")
        #expect(session.recorded.first?.headers["Accept"] == "text/csv")
        var ends: [ServiceError.Code?] = []
        for _ in 1...4 {
            let error = await #expect(throws: ServiceError.self) { try await loader.load((["USD"], "2026-11-20")) }
            ends.append(error?.code)
        }
        #expect(ends == [.decoding, .validation, .validation, .status])
    }

    @Test func `a lenient model decodes an imperfect response`() async throws {
        let json = #"{"id":7,"stops":[{"name":"A"},{}],"state":"cancelled","departs_at":"2026-11-22T08:00:00Z"}"#
        let session = ScriptedSession([.json(json)])
        let trip = try await APILoader(TripAPI(environment: .production), session: session).load("7")
        #expect(trip.id == "7" && trip.stops == [Stop(name: "A")] && trip.state == .unknown("cancelled"))
        #expect(trip.$stops.count == 1 && trip.departsAt == Date(timeIntervalSince1970: 1_795_334_400))
    }

    @Test func `a password is sent only in the body`() async throws {
        let session = ScriptedSession([.status(204)])
        let login = Login(name: "ada", password: Secret("s3cret&"))
        try await APILoader(LoginAPI(environment: .production), session: session).load(login)
        #expect(session.recorded.first?.body == .data(Data("name=ada&password=s3cret%26".utf8)))
        #expect(!"\(login) \(session.recorded)".contains("s3cret"))
    }
}
