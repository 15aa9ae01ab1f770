import Errand
import ErrandSupport
import ErrandTesting
import Testing

/// Handlers that wrap other handlers, sign linked pages or use options and templates.
@Suite struct HandlerRecipeTests {
    private static let pages: [CannedReply] = [
        .json(#"[{"id":"a","description":"A"}]"#).header("Link", #"<?page=2&t=1>; rel="next""#),
        .json(#"[{"id":"b"}]"#),
    ]

    @Test func `a wrapping handler changes each page and keeps the rest`() async throws {
        let session = ScriptedSession(Self.pages)
        let handler = Versioned(wrapped: GalleryAPI(environment: .production))
        var ids: [String] = []
        for try await photo in APILoader(handler, session: session).pages(from: GalleryQuery()).items {
            ids.append(photo.id)
        }
        #expect(ids == ["a", "b"])
        let agents = session.recorded.map { $0.head.value(forHTTPHeaderField: "User-Agent") ?? "" }
        #expect(agents.count == 2 && agents.allSatisfy { $0.hasPrefix("Gallery/2.1 ") })
    }

    @Test(arguments: [(true, ["a"]), (false, ["a", "b"])])
    func `an erased handler keeps what it wraps`(onlyDescribed: Bool, ids: [String]) async throws {
        let session = ScriptedSession([.json(#"[{"id":"a","description":"A"},{"id":"b"}]"#)])
        let loader = APILoader(galleryHandler(onlyDescribed: onlyDescribed), session: session)
        #expect(try await loader.load(GalleryQuery()).map(\.id) == ids)
        #expect(session.recorded.map(\.path) == ["/v1/photos"])
    }

    @Test func `each page is signed once with its own URL`() async throws {
        let signed = Locked<[String]>([])
        let handler = SignedGalleryAPI { request in
            signed.withLock { $0.append(request.url?.query() ?? "") }
            return request
        }
        for try await _ in APILoader(handler, session: ScriptedSession(Self.pages)).pages(from: GalleryQuery()) {}
        #expect(signed.withLock(\.self) == ["page=1", "page=2&t=1"])
    }

    @Test func `an interceptor reads its option`() async throws {
        let session = ScriptedSession([.json("[]"), .json("[]")])
        var request = try APIRequest(URLRequest(url: #require(URL(string: "https://api.example/"))))
        let intercepted = session.intercepted(by: RegionInterceptor())
        _ = try await intercepted.send(request)
        request.options.region = "eu"
        _ = try await intercepted.send(request)
        #expect(session.recorded.map { $0.head.value(forHTTPHeaderField: "X-Region") } == [nil, "eu"])
    }

    @Test func `a template and a link give URLs`() async throws {
        #expect(try issuesPath(of: "a b", labels: ["bug", "ui"]) == "/repos/a%20b/issues?labels=bug&labels=ui")
        let session = ScriptedSession([.json("[]").header("Link", #"</photos?page=9>; rel="last""#)])
        let loader = APILoader(GalleryAPI(environment: .production), session: session)
        let loaded = try await loader.response(GalleryQuery())
        #expect(lastPage(of: loaded.head)?.absoluteString == "https://api.gallery.example/photos?page=9")
    }

    @Test func `the first photos are those of a server, or an error`() async throws {
        do {
            _ = try await firstPhotos()
        } catch {
            #expect(error is ServiceError)
        }
    }

    @Test func `a page past the last is empty`() async throws {
        let session = ScriptedSession([.status(404)])
        #expect(try await count(of: 9, with: APILoader(PhotosAPI(), session: session)) == 0)
    }
}
