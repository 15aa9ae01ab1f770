import Errand
import GalleryCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct DevelopmentServerIntegrationTests {
    /// Runs a server during a test.
    private func withServer(
        _ change: (inout DevelopmentServer.Configuration) -> Void = { _ in },
        _ body: (DevelopmentServer) async throws -> Void
    ) async throws {
        var configuration = DevelopmentServer.Configuration()
        change(&configuration)
        try await DevelopmentServer.withServer(configuration, body)
    }

    private func get(
        _ server: DevelopmentServer, _ target: String, method: String = "GET", _ headers: HeaderFields = [:]
    ) async throws -> APIResponse {
        var request = URLRequest(url: server.url.target(target))
        request.httpMethod = method
        for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
        return try await PlatformSession.platform.send(APIRequest(request))
    }

    @Test func `a feed iterates over all pages, newest photos first`() async throws {
        try await withServer { server in
            let feed = GalleryFeed(GalleryAPI(environment: server.environment))
            var photos: [GalleryModel] = []
            for try await page in feed.pages(from: GalleryQuery(perPage: 7), limit: 100) {
                #expect(page.total == 40 && page.rateLimit?.limit == 5_000)
                #expect(page.rateLimit?.remaining == 5_000 - page.number)
                photos += page.photos
            }
            #expect(photos.count == 40 && Set(photos.map(\.id)).count == 40)
            #expect(photos.map(\.createdAt) == photos.map(\.createdAt).sorted(by: >))
        }
    }

    @Test(arguments: PhotoSize.allCases)
    func `every picture is a complete PNG in each size`(size: PhotoSize) async throws {
        try await withServer { server in
            let query = GalleryQuery(page: 1, perPage: 30)
            let photos = try await APILoader(GalleryAPI(environment: server.environment)).load(query)
            #expect(photos.count == 30)
            for photo in photos {
                let url = photo.urls[size]
                let response = try await PlatformSession.platform.send(APIRequest(URLRequest(url: url)))
                let bytes = try await response.body.collect(upTo: 1 << 20)
                #expect(response.head.status == 200 && response.head.headers["Content-Type"] == "image/png")
                #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.suffix(8).starts(with: "IEND".utf8))
            }
        }
    }

    @Test func `a picture with a matching entity tag is not sent again`() async throws {
        try await withServer { server in
            let first = try await get(server, "/pictures/dusk-hills.png")
            let tag = try #require(first.head.headers["ETag"])
            let second = try await get(server, "/pictures/dusk-hills.png?size=thumb", ["If-None-Match": tag])
            #expect(second.head.status == 304 && second.head.headers["ETag"] == tag)
            let keyed = try await get(server, "/pictures/dusk-hills.png", ["Authorization": "Client-ID k3y"])
            #expect(keyed.head.status == 400)
        }
    }

    @Test func `each API call returns its response`() async throws {
        try await withServer({ $0.chooseIndex = { $0.upperBound - 1 } }) { server in
            let environment = server.environment
            let found = try await APILoader(SearchAPI(environment: environment)).load(SearchQuery("HILLS purple"))
            let photo = try #require(found.results.first)
            #expect(found.total == found.results.count && photo.tags == nil && photo.exif == nil)
            let full = try await APILoader(PhotoAPI(environment: environment)).load(photo.id)
            #expect(full.tags?.isEmpty == false && full.exif != nil && full.urls == photo.urls)
            let users = UserPhotosQuery(username: photo.user.username, perPage: 30)
            let theirs = try await APILoader(UserPhotosAPI(environment: environment)).load(users)
            #expect(theirs.count == photo.user.totalPhotos && theirs.allSatisfy { $0.user == photo.user })
            let random = try await APILoader(RandomPhotoAPI(environment: environment)).load(RandomPhotoQuery())
            let all = try await APILoader(GalleryAPI(environment: environment)).load(
                GalleryQuery(perPage: 1, orderBy: .oldest))
            #expect(random.id == all.first?.id, "expected the last photo in the order newest first")
        }
    }

    @Test func `a download is counted and returns the picture's URL`() async throws {
        try await withServer { server in
            let photos = try await APILoader(GalleryAPI(environment: server.environment)).load(GalleryQuery(perPage: 1))
            let photo = try #require(photos.first)
            let call = APILoader(DownloadAPI(environment: server.environment))
            let download = try await call.load(try #require(photo.links.downloadLocation))
            #expect(download.url == photo.urls.full && server.downloads == [photo.id: 1])
        }
    }

    @Test(arguments: ["zoe angstrom", "ZOË", "zoe_angstrom"])
    func `a search finds photographers and ignores accents`(query: String) async throws {
        try await withServer { server in
            let found = try await APILoader(SearchAPI(environment: server.environment)).load(SearchQuery(query))
            #expect(found.total == 3 && found.results.allSatisfy { $0.user.username == "zoe_angstrom" })
        }
    }

    @Test func `a search without results returns an empty page`() async throws {
        try await withServer { server in
            let found = try await APILoader(SearchAPI(environment: server.environment)).load(SearchQuery("zzz"))
            #expect(found.total == 0 && found.totalPages == 0 && found.results.isEmpty)
        }
    }

    @Test(arguments: [
        ("/photos?page=2&per_page=10&order_by=oldest", ["first 1", "prev 1", "last 4", "next 3"]),
        ("/photos?page=1&per_page=10", ["last 4", "next 2"]), ("/photos?page=4&per_page=10", ["first 1", "prev 3"]),
        ("/photos?per_page=100", ["last 2", "next 2"]), ("/photos?page=99&per_page=10", ["first 1", "prev 4"]),
        ("/users/zoe_angstrom/photos", []), ("/search/photos?query=zzz", []),
        ("/photos?page=9223372036854775807&per_page=30", ["first 1", "prev 2"]),
    ])
    func `a list links to its other pages with an unchanged query`(target: String, links: [String]) async throws {
        try await withServer { server in
            let head = try await get(server, target).head
            #expect(head.status == 200)
            let found = LinkHeader(head.headers).links
            let pages = try found.map { link in
                let url = try #require(link.url(relativeTo: head.url))
                let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
                let others = items.filter { $0.name != "page" }.map(\.description)
                let asked = URLComponents(url: head.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
                #expect(others == asked.filter { $0.name != "page" }.map(\.description))
                return "\(link.relations.joined()) \(items.last { $0.name == "page" }?.value ?? "")"
            }
            #expect(pages == links)
        }
    }

    @Test(arguments: [
        ("/photos/nothing", 404, "Couldn't find Photo"), ("/photos/nothing/download", 404, "Couldn't find Photo"),
        ("/users/nobody/photos", 404, "Couldn't find User"),
        ("/photos/random?username=nobody", 404, "Couldn't find User"),
        ("/photos/random?query=zzz", 404, "No photos found."), ("/search/photos", 400, "query is missing"),
        ("/photos?page=0", 400, "page is invalid"), ("/photos?per_page=-1", 400, "per_page is invalid"),
        ("/photos?page=x", 400, "page is invalid"),
        ("/photos?order_by=size", 400, "order_by does not have a valid value"),
        ("/search/photos?query=x&orientation=round", 400, "orientation does not have a valid value"),
        ("/", 404, "Couldn't find this URL"), ("/collections", 404, "Couldn't find this URL"),
        ("/pictures/..%2Fcatalogue.json", 404, "Couldn't find this picture"),
        ("/pictures/catalogue.json", 404, "Couldn't find this picture"),
    ])
    func `an error response has the server's message`(target: String, status: Int, message: String) async throws {
        try await withServer { server in
            let loader = APILoader(RawCall(environment: server.environment))
            let error = await loader.failure(.init(url: server.url.target(target)))
            #expect(error?.code == .status && error?.status == status)
            #expect((error?.serverError as? UnsplashError)?.errors == [message])
        }
    }

    @Test func `a server with a key rejects other keys`() async throws {
        try await withServer({ $0.accessKey = Secret("right") }) { server in
            for key in [nil, Secret("wrong")] {
                let error = await APILoader(GalleryAPI(environment: server.environment, accessKey: key))
                    .failure(GalleryQuery())
                #expect(error?.status == 401 && error?.serverError is UnsplashError)
            }
            let right = GalleryAPI(environment: server.environment, accessKey: Secret("right"))
            let photos = try await APILoader(right).load(GalleryQuery())
            #expect(photos.count == 10)
        }
    }

    @Test func `the rate limit applies to API calls and not to pictures`() async throws {
        try await withServer({ $0.rateLimit = 1 }) { server in
            let loader = APILoader(GalleryAPI(environment: server.environment))
            let head = try await loader.response(GalleryQuery()).head
            #expect(RateLimit(head: head)?.remaining == 0)
            let error = await loader.failure(GalleryQuery())
            #expect(error?.status == 403)
            #expect((error?.serverError as? UnsplashError)?.errors == ["Rate Limit Exceeded"])
            let picture = try await get(server, "/pictures/dusk-hills.png")
            #expect(picture.head.status == 200)
        }
    }

    @Test(arguments: [("PUT", 405), ("DELETE", 405), ("HEAD", 200)])
    func `only GET, HEAD and uploads are allowed`(method: String, status: Int) async throws {
        try await withServer { server in
            let response = try await get(server, "/photos", method: method)
            #expect(response.head.status == status)
        }
    }

    @Test func `random photos are distinct`() async throws {
        try await withServer { server in
            let call = RawCall(environment: server.environment)
            let body = try await APILoader(call).load(.init(url: server.url.target("/photos/random?count=99")))
            let photos = try JSONDecoder.errand.decode([GalleryModel].self, from: body)
            #expect(photos.count == 30 && Set(photos.map(\.id)).count == 30)
        }
    }

    @Test func `a port that is in use is an error`() async throws {
        try await withServer { server in
            var configuration = DevelopmentServer.Configuration()
            configuration.port = try #require(server.url.port)
            let error = try #require(throws: ServiceError.self) { try DevelopmentServer(configuration) }
            #expect(error.code == .configuration)
        }
    }
}
