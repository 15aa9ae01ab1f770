import Errand
import ErrandLoopback
import GalleryCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct KeyLeakIntegrationTests {
    /// Runs an API server with responses that point to another server, which records its requests.
    private func withServers(
        _ body: (_ environment: GalleryEnvironment, _ api: LoopbackServer, _ other: LoopbackServer) async throws -> Void
    ) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 10
        try await LoopbackServer.withServer(configuration: configuration) { _ in
            .json(GalleryModelTests.smallest)
        } _: { other in
            let elsewhere = other.url.absoluteString
            try await LoopbackServer.withServer(configuration: configuration) { request in
                if request.path == "/photos/1" {
                    return .status(302).header("Location", elsewhere + "/photos/1")
                }
                let photo = GalleryModelTests.smallest.replacingOccurrences(of: "http://a/", with: elsewhere + "/")
                return .json("[\(photo)]").header("Link", "<\(elsewhere)/photos?page=2>; rel=\"next\"")
            } _: { api in
                try await body(.staging(at: BaseURL(api.url)), api, other)
            }
        }
    }

    @Test func `the key is sent only to the API's origin`() async throws {
        try await withServers { environment, api, other in
            let key = Secret("k3y-that-must-stay")
            let feed = GalleryFeed(GalleryAPI(environment: environment, accessKey: key))
            var pages: [GalleryPage] = []
            let linkError = try await #require(throws: ServiceError.self) {
                for try await page in feed.pages(from: GalleryQuery(page: 1), limit: 5) { pages.append(page) }
            }
            #expect(linkError.code == .badResponse && pages.count == 1)

            let resource = try #require(pages.first?.photos.first?.links.resource)
            let download = APILoader(DownloadAPI(environment: environment, accessKey: key))
            let downloadError = await download.failure(resource.appending(path: "download"))
            #expect(downloadError?.code == .configuration)
            #expect(downloadError?.attempts.isEmpty == true, "expected no attempts")

            #expect(other.connectionCount == 0)
            #expect(api.requests.map { $0["Authorization"] } == ["Client-ID \(key.reveal())"])
            for error in [linkError, downloadError] {
                #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains(key.reveal()))
            }
        }
    }

    @Test func `a redirect to another server is followed without the key`() async throws {
        try await withServers { environment, api, other in
            let key = Secret("k3y-that-must-stay")
            let loaded = try await APILoader(PhotoAPI(environment: environment, accessKey: key)).response("1")
            #expect(loaded.head.url == other.url.appending(path: "photos/1"))
            #expect(api.requests.map { $0["Authorization"] } == ["Client-ID \(key.reveal())"])
            let strangers = other.requests
            #expect(strangers.count == 1 && strangers.first?["Accept"] == "application/json")
            for request in strangers {
                #expect(!"\(request.target) \(request.headers)".contains(key.reveal()))
            }
        }
    }
}
