import Errand
import GalleryCore
import Testing

@Suite struct GalleryRequestTests {
    static let environment = GalleryEnvironment.staging(at: "https://gallery.example/v2")

    /// An API call and its expected target below the base path.
    struct Row: Sendable, CustomTestStringConvertible {
        let target: String
        let make: @Sendable (GalleryEnvironment, Secret?) throws -> URLRequest
        var testDescription: String { target }

        init(_ target: String, _ make: @escaping @Sendable (GalleryEnvironment, Secret?) throws -> URLRequest) {
            self.target = target
            self.make = make
        }
    }

    static let rows = [
        Row("/photos") { try GalleryAPI(environment: $0, accessKey: $1).makeRequest(from: GalleryQuery()) },
        Row("/photos?page=2&per_page=30&order_by=popular") {
            let query = GalleryQuery(page: 2, perPage: 30, orderBy: .popular)
            return try GalleryAPI(environment: $0, accessKey: $1).makeRequest(from: query)
        },
        Row("/photos/tAKXap853rY") { try PhotoAPI(environment: $0, accessKey: $1).makeRequest(from: "tAKXap853rY") },
        Row("/photos/random?username=zoe&orientation=landscape&content_filter=low") {
            let query = RandomPhotoQuery(username: "zoe", orientation: .landscape, contentFilter: .low)
            return try RandomPhotoAPI(environment: $0, accessKey: $1).makeRequest(from: query)
        },
        Row("/users/zo%C3%AB/photos?page=1&per_page=10&order_by=oldest") {
            let query = UserPhotosQuery(username: "zoë", page: 1, perPage: 10, orderBy: .oldest)
            return try UserPhotosAPI(environment: $0, accessKey: $1).makeRequest(from: query)
        },
        Row("/search/photos?query=black%20%26%20white%2B&page=3&per_page=10&order_by=relevant") {
            let query = SearchQuery("black & white+", page: 3, perPage: 10, orderBy: .relevant)
            return try SearchAPI(environment: $0, accessKey: $1).makeRequest(from: query)
        },
        Row("/search/photos?query=x&color=teal&orientation=squarish&content_filter=high") {
            var query = SearchQuery("x")
            (query.color, query.orientation, query.contentFilter) = ("teal", .squarish, .high)
            return try SearchAPI(environment: $0, accessKey: $1).makeRequest(from: query)
        },
        Row("/photos/a%20b/download?ixid=x%2By") {
            let location = try #require(URL(string: "https://GALLERY.example:443/v2/photos/a%20b/download?ixid=x%2By"))
            return try DownloadAPI(environment: $0, accessKey: $1).makeRequest(from: location)
        },
    ]

    @Test(arguments: rows)
    func `a request has its URL, the access key and the API version`(row: Row) throws {
        let request = try row.make(Self.environment, Secret("k3y"))
        let url = try #require(request.url)
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        #expect(url.path(percentEncoded: true) + query == "/v2" + row.target)
        #expect(request.httpMethod == "GET" && request.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Client-ID k3y")
        #expect(request.value(forHTTPHeaderField: "Accept-Version") == "v1")
    }

    @Test(arguments: rows)
    func `a request without a key has no Authorization header`(row: Row) throws {
        #expect(try row.make(Self.environment, nil).value(forHTTPHeaderField: "Authorization") == nil)
        #expect(try row.make(Self.environment, Secret("")).value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test(arguments: [
        "http://gallery.example/v2/photos/1/download", "https://gallery.example:444/v2/photos/1/download",
        "https://gallery.example.evil.example/v2/x", "https://evil.example/v2/x", "https://gallery.example./v2/x",
        "https://gallery.example/photos/1/download", "https://gallery.example/v20/photos", "https://gallery.example/",
        "https://gallery.example/v2/../admin", "https://gallery.example/v2/%2e%2E/admin",
        "https://gallery.example/v2/.%2e/admin", "https://u:p@gallery.example/v2/x", "https://u@gallery.example/v2/x",
        "ftp://gallery.example/v2/x", "/v2/photos/1/download", "file:///v2/x", "https:///v2/x",
    ])
    func `a URL outside the API is rejected`(text: String) throws {
        let location = try #require(URL(string: text))
        let call = DownloadAPI(environment: Self.environment, accessKey: Secret("k3y"))
        let error = try #require(throws: ServiceError.self) { try call.makeRequest(from: location) }
        #expect(error.code == .configuration && !error.description.contains("k3y"))
    }
}

@Suite struct RateLimitTests {
    @Test(
        arguments: [
            (["X-Ratelimit-Limit": "50", "X-Ratelimit-Remaining": "49"], [50, 49]),
            (["x-ratelimit-limit": "50", "X-RATELIMIT-REMAINING": "0"], [50, 0]),
            (["X-Ratelimit-Limit": "50"], nil), ([:], nil),
            (["X-Ratelimit-Limit": "many", "X-Ratelimit-Remaining": "49"], nil),
            (["X-Ratelimit-Limit": "50", "X-Ratelimit-Remaining": "-1"], nil),
        ] as [(HeaderFields, [Int]?)])
    func `the rate limit is parsed from the response headers`(headers: HeaderFields, limit: [Int]?) throws {
        let url = try #require(URL(string: "http://h/"))
        let found = RateLimit(head: ResponseHead(status: 200, headers: headers, url: url))
        #expect(found.map { [$0.limit, $0.remaining] } == limit)
    }
}
