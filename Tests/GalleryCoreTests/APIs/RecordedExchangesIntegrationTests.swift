import Errand
import ErrandLoopback
import GalleryCore
import TestSupport
import Testing

@Suite(.enabled(if: Exchange.areThere, "ERRAND_VECTORS is not set"), .timeLimit(.minutes(2)))
struct RecordedExchangesIntegrationTests {
    let recording: Recording

    init() throws {
        recording = try Recording()
    }

    private func environment(_ server: LoopbackServer) -> GalleryEnvironment { .staging(at: BaseURL(server.url)) }

    /// Sends a recorded request unchanged and returns the response.
    private func response(to index: Int, from server: LoopbackServer) async throws -> Loaded<Data> {
        let exchange = recording.exchanges[index]
        let input = RawCall.Input(
            method: exchange.method, url: server.url.target(exchange.target),
            headers: [Recording.indexHeader: "\(index)"]
        )
        return try await APILoader(RawCall(environment: environment(server))).response(input)
    }

    @Test func `all 59 recorded requests return their status or the server's message`() async throws {
        #expect(recording.exchanges.count == 59)
        try await recording.replayed { server in
            for (index, exchange) in recording.exchanges.enumerated() {
                do {
                    let loaded = try await response(to: index, from: server)
                    #expect(loaded.head.status == exchange.status && exchange.status < 300)
                    #expect(loaded.head.headers.combined("Via") == exchange.values(of: "Via").joined(separator: ", "))
                    #expect(loaded.value == Data(Exchange.filled(exchange.body, api: "\(server.url)/").utf8))
                    #expect(
                        RateLimit(head: loaded.head)?.limit
                            == exchange.values(of: "X-Ratelimit-Limit").first.flatMap { Int($0) })
                } catch let error as ServiceError {
                    #expect([401, 404].contains(exchange.status), "\(error)")
                    try expect(error, is: exchange)
                }
                #expect(
                    server.requests.last?.target == exchange.target && server.requests.last?.method == exchange.method)
            }
        }
    }

    private func expect(_ error: ServiceError, is exchange: Exchange) throws {
        #expect(error.code == .status && error.status == exchange.status)
        let said = try JSONDecoder.errand.decode(UnsplashError.self, from: Data(exchange.body.utf8))
        #expect(error.serverError as? UnsplashError == said && !said.errors.isEmpty)
    }

    @Test func `each typed call sends the recorded target and returns the recorded photos`() async throws {
        try await recording.replayed { server in
            let call = TypedCall(environment: environment(server), base: server.url)
            var (loaded, refused) = (0, 0)
            for exchange in recording.exchanges where exchange.method == "GET" {
                do {
                    guard let photos = try await call.photos(at: exchange.target) else { continue }
                    let body = try JSONValue(Data(exchange.body.utf8))
                    let paths = ["id", "[].id", "results[].id", "url"]
                    #expect(photos == paths.flatMap { body.values(at: Substring($0)) }.map(\.text))
                    loaded += 1
                } catch let error as ServiceError {
                    try expect(error, is: exchange)
                    refused += 1
                }
                let target = try #require(server.requests.last?.target)
                #expect(Recording.key("GET", target) == Recording.key("GET", exchange.target))
                #expect(server.requests.last?["Authorization"] == "Client-ID k3y")
            }
            #expect(loaded == 17 && refused == 3)
        }
    }

    @Test func `each of the 16 next links is requested with its exact target`() async throws {
        try await recording.replayed { server in
            var targets: [String] = []
            for (index, exchange) in recording.exchanges.enumerated() {
                guard let header = exchange.values(of: "Link").first else { continue }
                let head = try await response(to: index, from: server).head
                let url = try #require(LinkHeader(head.headers).first("next")?.url(relativeTo: head.url))
                let error = await APILoader(RawCall(environment: environment(server))).failure(.init(url: url))
                #expect(error?.status == 404, "expected 404, because this page was not recorded")
                targets.append(try #require(server.requests.last?.target))
                #expect(targets.last == Self.nextTarget(in: header))
            }
            #expect(targets.count == 16)
        }
    }

    /// Returns the target of a recorded `next` link, extracted from its fixed format.
    private static func nextTarget(in header: String) -> String? {
        header.components(separatedBy: ", ").first { $0.hasSuffix(#">; rel="next""#) }
            .map { "/" + $0.dropFirst("<<API_URI>".count).dropLast(#">; rel="next""#.count) }
    }

    @Test func `a feed returns the recorded page and then requests its next link`() async throws {
        try await recording.replayed { server in
            let feed = GalleryFeed(SearchAPI(environment: environment(server)))
            var pages: [GalleryPage] = []
            let error = try await #require(throws: ServiceError.self) {
                for try await page in feed.pages(from: SearchQuery("dog", page: 1, perPage: 3), limit: 9) {
                    pages.append(page)
                }
            }
            #expect(pages.map(\.photos.count) == [3] && pages.first?.total == 15_149 && error.status == 404)
            #expect(server.requests.last?.target == "/search/photos?page=2&per_page=3&query=dog")
        }
    }
}
