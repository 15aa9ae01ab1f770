import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// `makeRequest` is called exactly once for each page and each replay after 401, and not for retries.
@Suite(.timeLimit(.minutes(1))) struct MakeRequestCountTests {
    /// Counts the requests that it makes, at the point at which a signing handler would sign them.
    struct Counting: PagedHandler {
        enum Rule: Sendable, CaseIterable { case link, number, signedLink }

        let rule: Rule
        let count = Counter()

        var paging: PagingRule<Int> { rule == .number ? .numbered(\.self, size: 1) : .link }

        func makeRequest(from page: Int) throws -> URLRequest {
            count.add()
            return try unsigned(page)
        }

        func makeRequest(to link: PageLink, from page: Int) throws -> URLRequest {
            guard rule == .signedLink else { return try link.applied(to: makeRequest(from: page)) }
            var request = try link.applied(to: unsigned(page))
            count.add()
            request.setValue("signature of \(request.url?.query() ?? "")", forHTTPHeaderField: "X-Signature")
            return request
        }

        private func unsigned(_ page: Int) throws -> URLRequest {
            URLRequest(url: try #require(URL(string: "http://api.test/list?page=\(page)")))
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Int] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    final class Counter: Sendable {
        private let number = Locked(0)
        var value: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    /// Makes the given request for each link.
    struct Replacing: PagedHandler {
        let request: String

        func makeRequest(from page: Int) throws -> URLRequest {
            URLRequest(url: try #require(URL(string: "http://api.test/list?page=\(page)")))
        }

        func makeRequest(to link: PageLink, from page: Int) throws -> URLRequest {
            URLRequest(url: try #require(URL(string: request)))
        }

        func parseResponse(data: Data, head: ResponseHead) throws -> [Int] {
            try defaultParseResponse(data: data, head: head)
        }
    }

    private func replies(_ rule: Counting.Rule) -> [CannedReply] {
        (1...4).map { page in
            PagesTests.reply("\(page)", next: rule != .number && page < 4 ? "?page=\(page + 1)" : nil)
        } + (rule == .number ? [.json("[]")] : [])
    }

    @Test(arguments: Counting.Rule.allCases)
    func `each page calls makeRequest once`(rule: Counting.Rule) async throws {
        let handler = Counting(rule: rule)
        let session = ScriptedSession(replies(rule))
        var counts: [Int] = []
        let policy = PagingPolicy(pageLimit: 4)
        for try await page in APILoader(handler, session: session).pages(from: 1, policy: policy) {
            #expect(page.items == [page.number])
            counts.append(handler.count.value)
        }
        #expect(counts == [1, 2, 3, 4])
        #expect(session.recorded.count == 4)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: Counting.Rule.allCases)
    @MainActor func `each page of a model calls makeRequest once`(rule: Counting.Rule) async {
        let handler = Counting(rule: rule)
        let model = APIModel(pagesOf: APILoader(handler, session: ScriptedSession(replies(rule))))
        model.load(1)
        await model.settled()
        for _ in 2...4 {
            model.loadMore()
            await model.settled()
        }
        #expect(model.state.value == [1, 2, 3, 4])
        #expect(handler.count.value == 4)
    }

    @Test func `a retry does not call makeRequest`() async throws {
        let handler = Counting(rule: .link)
        let script = ScriptedSession([.status(503), .json("[1]")])
        let session = script.intercepted(by: RetryInterceptor())
        _ = try await APILoader(handler, session: session, time: InstantClock()).load(1)
        #expect(handler.count.value == 1 && script.recorded.count == 2)
    }

    /// An interceptor that refreshes its token after a 401 response.
    private func refreshing() throws -> AuthorizationInterceptor {
        let account = OAuthAuthorizer(
            store: MemoryTokenStore(OAuthToken(access: Secret("old"), refresh: Secret("r"), expiry: nil)),
            identity: nil,
            settings: .init(), onEvent: { _ in },
            renew: { _, _ in OAuthToken(access: Secret("new"), refresh: nil, expiry: nil) })
        return AuthorizationInterceptor(account, at: try #require(URL(string: "http://api.test/")))
    }

    @Test(arguments: Counting.Rule.allCases)
    func `a replay after 401 calls makeRequest once more`(rule: Counting.Rule) async throws {
        let handler = Counting(rule: rule)
        let script = ScriptedSession([replies(rule)[0], .status(401)] + replies(rule).dropFirst())
        let loader = APILoader(handler, session: script.intercepted(by: try refreshing()))
        var counts: [Int] = []
        for try await page in loader.pages(from: 1, policy: PagingPolicy(pageLimit: 3)) {
            #expect(page.items == [page.number])
            counts.append(handler.count.value)
        }
        #expect(counts == [1, 3, 4])
        #expect(script.recorded.count == 4)
    }

    /// Signs with a counter in place of a timestamp, in a header and in the query.
    private struct Signing: APIHandler {
        let count = Counter()
        var url: @Sendable (Int) -> String = { "http://api.test/list?signature=\($0)" }

        func makeRequest(from data: Void) throws -> URLRequest {
            count.add()
            var request = URLRequest(url: try #require(URL(string: url(count.value))))
            request.httpMethod = "POST"
            request.httpBody = Data("body \(count.value)".utf8)
            for name in ["X-Signature", "X-Replaced", "Idempotency-Key", "X-Only-\(count.value)"] {
                request.setValue("\(count.value)", forHTTPHeaderField: name)
            }
            return request
        }

        func parseResponse(data: Data, head: ResponseHead) throws -> Data { data }
    }

    /// Adds a header, and replaces one of the handler.
    private struct Changing: Interceptor {
        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            var request = request
            request.head.setValue("kept", forHTTPHeaderField: "X-Added")
            request.head.setValue("kept", forHTTPHeaderField: "X-Replaced")
            return try await next.send(request)
        }
    }

    @Test func `a replay has a new signature and keeps the changes of interceptors`() async throws {
        let script = ScriptedSession([.status(401), .json("[1]")])
        let session = script.intercepted(by: Changing(), try refreshing())
        _ = try await APILoader(Signing(), session: session).load()
        let replay = try #require(script.recorded.last)
        #expect(replay.url?.query() == "signature=2")
        for (name, value) in [
            ("X-Signature", "2"), ("X-Added", "kept"), ("X-Replaced", "kept"), ("Idempotency-Key", "1"),
            ("X-Only-1", nil), ("X-Only-2", "2"), ("Authorization", "Bearer new"),
        ] {
            #expect(replay.headers[name] == value, "\(name)")
        }
        #expect(replay.body == .data(Data("body 2".utf8)))
    }

    /// Changes the URL or the body, to which a signature in a header may belong.
    private struct Rewriting: Interceptor {
        let changesURL: Bool

        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            var request = request
            if changesURL {
                request.head.url = URL(string: "http://api.test/rewritten")
            } else {
                request.body = .data(Data("rewritten".utf8))
            }
            return try await next.send(request)
        }
    }

    @Test(arguments: [true, false])
    func `a replay of a rewritten request keeps the first signature`(changesURL: Bool) async throws {
        let script = ScriptedSession([.status(401), .json("[1]")])
        let session = script.intercepted(by: Rewriting(changesURL: changesURL), try refreshing())
        _ = try await APILoader(Signing(), session: session).load()
        let (first, replay) = (try #require(script.recorded.first), try #require(script.recorded.last))
        #expect(script.recorded.count == 2 && replay.headers["X-Signature"] == "1")
        #expect(replay.url == first.url && replay.body == first.body)
        #expect(replay.headers["Authorization"] == "Bearer new")
    }

    @Test func `a replay to another origin is not sent`() async throws {
        let script = ScriptedSession([.status(401), .json("[1]")])
        let handler = Signing(url: { "http://\($0 == 1 ? "api" : "other").test/" })
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(handler, session: script.intercepted(by: try refreshing())).load()
        }
        #expect(error?.code == .encoding && script.recorded.count == 1)
    }

    /// Returns the second page of a handler that makes the given request for the link to it.
    private func secondPage(link: String, request: String) async throws -> Pages<Replacing>.Page? {
        let session = ScriptedSession([PagesTests.reply("1", next: link), .json("[2]")])
        var pages = APILoader(Replacing(request: request), session: session).pages(from: 1).makeAsyncIterator()
        #expect(try await pages.next()?.items == [1])
        defer { #expect(session.recorded.count == 1 || session.recorded.last?.url?.absoluteString == request) }
        return try await pages.next()
    }

    @Test(arguments: [
        "http://api.test/list?page=2", "http://api.test/list?page=77", "http://api.test/lists?page=7",
        "http://other.test/list?page=7", "http://api.test/list", "http://api.test/list?page=7#&a=b",
    ])
    func `a request for a URL other than the link is not sent`(request: String) async throws {
        let error = await #expect(throws: ServiceError.self) { try await secondPage(link: "?page=7", request: request) }
        #expect(error?.code == .configuration)
    }

    @Test(arguments: ["?page=7", "/next"]) func `a handler may append to the query of the link`(link: String)
        async throws
    {
        let separator = link.contains("?") ? "&" : "?"
        let request = "http://api.test\(link.hasPrefix("/") ? "" : "/list")\(link)\(separator)signature=s"
        #expect(try await secondPage(link: link, request: request)?.items == [2])
    }

    @Test(arguments: [
        ("?page=7#top", "http://api.test/list?page=7&signature=s"),
        ("?ids=1%2C2", "http://api.test/list?ids=1,2&signature=s"), ("?page=7#top", "http://api.test/list?page=7"),
    ])
    func `a request may omit the fragment and encode differently`(link: String, request: String) async throws {
        #expect(try await secondPage(link: link, request: request)?.items == [2])
    }

    private struct Wrapping<Wrapped: PagedHandler>: WrappingHandler, PagedHandler {
        typealias Item = Wrapped.Item
        let wrapped: Wrapped
    }

    @Test(arguments: Counting.Rule.allCases)
    func `a wrapping handler keeps the rule of its pages`(rule: Counting.Rule) async throws {
        let handler = Wrapping(wrapped: Counting(rule: rule))
        let session = ScriptedSession(replies(rule))
        let policy = PagingPolicy(pageLimit: 4)
        let pages = APILoader(handler, session: session).pages(from: 1, policy: policy)
        #expect(try await pages.reduce(into: []) { $0 += $1.items } == [1, 2, 3, 4])
        #expect(session.recorded.count == 4)
    }

    @Test func `a repeated link ends the pages even if it was signed`() async throws {
        let session = ScriptedSession([
            PagesTests.reply("1", next: "?page=7"), PagesTests.reply("2", next: "?page=7"), .json("[3]"),
        ])
        let handler = Replacing(request: "http://api.test/list?page=7&signature=s")
        var pages = APILoader(handler, session: session).pages(from: 1).makeAsyncIterator()
        #expect(try await pages.next()?.items == [1])
        #expect(try await pages.next()?.items == [2])
        let error = await #expect(throws: ServiceError.self) { try await pages.next() }
        #expect(error?.code == .badResponse && session.recorded.count == 2)
    }
}
