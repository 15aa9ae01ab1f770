import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PagesTests {
    /// A list with `Link` headers that name its pages.
    struct Linked: PagedHandler {
        var method = "GET"
        func makeRequest(from page: Int) throws -> URLRequest {
            var request = URLRequest(url: URL(string: "http://api.test/list?page=\(page)") ?? URL(filePath: "/"))
            request.httpMethod = method
            request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
            request.setValue("b", forHTTPHeaderField: "X-A")
            if method != "GET" { try setJSONBody(["q": "x"], on: &request) }
            return request
        }
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Int] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    /// A list with cursors in the body that name its pages.
    struct Cursors: PagedHandler {
        struct Part: Decodable, Sendable {
            let list: [Int]
            let next: String?
        }
        func makeRequest(from cursor: String) throws -> URLRequest {
            var request = URLRequest(url: URL(string: "http://api.test/query") ?? URL(filePath: "/"))
            request.httpMethod = "POST"
            try setJSONBody(["cursor": cursor], on: &request)
            return request
        }
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> Part {
            try defaultParseResponse(data: data, response: response)
        }
        func items(of page: Part) -> [Int] { page.list }
        func nextPage(after page: Loaded<Part>, from cursor: String) -> NextPage<String> {
            page.value.next.map { .input($0) } ?? .end
        }
    }

    static func reply(_ items: String, next link: String? = nil) -> CannedReply {
        let reply = CannedReply.json("[\(items)]")
        return link.map { reply.header("Link", "<\($0)>; rel=\"next\"") } ?? reply
    }

    /// Iterates to the end. Returns the pages and the error that was thrown after them, if any.
    private func walk<T: PagedHandler>(_ pages: Pages<T>) async -> (pages: [Pages<T>.Page], error: ServiceError?) {
        var read: [Pages<T>.Page] = []
        do throws(ServiceError) {
            for try await page in pages { read.append(page) }
        } catch {
            return (read, error)
        }
        return (read, nil)
    }

    private func urls(_ session: ScriptedSession) -> [String?] { session.recorded.map { $0.url?.absoluteString } }

    @Test(arguments: [false, true]) func `pages follow the unchanged links until the last page`(
        prefetches: Bool
    ) async throws {
        let session = ScriptedSession([
            Self.reply("1,2", next: "?page=2&x=a%2Bb"), Self.reply("", next: "/other?cursor=%C3%BC"), Self.reply("3"),
        ])
        let policy = PagingPolicy(pageLimit: 9, prefetches: prefetches)
        let pages = APILoader(Linked(), session: session).pages(from: 1, policy: policy)
        let (read, error) = await walk(pages)
        #expect(error == nil && read.map(\.items) == [[1, 2], [], [3]] && read.map(\.number) == [1, 2, 3])
        #expect(read.map { $0.next?.number } == [2, 3, nil])
        #expect(
            urls(session) == [
                "http://api.test/list?page=1", "http://api.test/list?page=2&x=a%2Bb",
                "http://api.test/other?cursor=%C3%BC",
            ])
        #expect(
            session.recorded.allSatisfy { $0.headers["Authorization"] == "Bearer s3cret" && $0.headers["X-A"] == "b" })
    }

    @Test func `cursors are passed as inputs, and items are iterated individually`() async throws {
        let session = ScriptedSession([
            .json(#"{"list":[1,2],"next":"a"}"#), .json(#"{"list":[],"next":"b"}"#), .json(#"{"list":[3]}"#),
        ])
        var items: [Int] = []
        for try await item in APILoader(Cursors(), session: session).pages(from: "").items { items.append(item) }
        #expect(items == [1, 2, 3])
        let bodies = session.recorded.map { String(decoding: $0.body.data ?? Data(), as: UTF8.self) }
        #expect(bodies == [#"{"cursor":""}"#, #"{"cursor":"a"}"#, #"{"cursor":"b"}"#])
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (2, 2)], [false, true])
    func `pages beyond the limit are not requested, and iteration can resume`(
        row: (limit: Int, count: Int), prefetches: Bool
    ) async throws {
        let session = ScriptedSession { request in
            let page = Int(request.queryItems.first { $0.name == "page" }?.value ?? "") ?? 0
            return Self.reply("\(page)", next: "?page=\(page + 1)")
        }
        let loader = APILoader(Linked(), session: session)
        let policy = PagingPolicy(pageLimit: row.limit, prefetches: prefetches)
        let (read, error) = await walk(loader.pages(from: 1, policy: policy))
        #expect(error == nil && read.count == row.count && session.recorded.count == row.count)
        guard let position = read.last?.next else { return }
        let saved = try JSONEncoder().encode(position)
        let found = try JSONDecoder().decode(PagePosition<Int>.self, from: saved)
        let (rest, _) = await walk(loader.pages(from: found, policy: policy))
        #expect(rest.map(\.items) == (1...row.count).map { [$0 + row.count] })
        #expect(rest.map(\.number) == (1...row.count).map { $0 + row.count })
    }

    @Test(arguments: [
        "http://evil.test/list?page=2", "https://api.test/list?page=2", "//evil.test/list", "http://api.test:81/list",
        "javascript:x", "http://[", "http://api.test@evil.test/", "http://u:p@api.test/2", "?page=1", "", "#x",
        "http://API.test/list?page=1",
    ])
    func `a link to another origin or an earlier page is an error`(link: String) async {
        for prefetches in [false, true] {
            let session = ScriptedSession([Self.reply("1", next: link), Self.reply("2")])
            let policy = PagingPolicy(pageLimit: 5, prefetches: prefetches)
            let (read, error) = await walk(APILoader(Linked(), session: session).pages(from: 1, policy: policy))
            #expect(error?.code == .badResponse, "\(error.map { "\($0)" } ?? "no error")")
            #expect(read.count == 1 && session.recorded.count == 1)
        }
    }

    @Test func `loops over pages, redirects and cursors end with an error`() async {
        let links = ScriptedSession([
            Self.reply("", next: "?page=2"), Self.reply("", next: "?page=3"), Self.reply("", next: "?page=2"),
        ])
        let (first, firstError) = await walk(APILoader(Linked(), session: links).pages(from: 1))
        #expect(first.count == 3 && firstError?.code == .badResponse)
        let moved = CannedReply.status(302).header("Location", "/moved")
        let redirects = ScriptedSession([Self.reply("", next: "/a"), moved, Self.reply("", next: "/moved")])
        let session = redirects.intercepted(by: RedirectInterceptor())
        let (second, secondError) = await walk(APILoader(Linked(), session: session).pages(from: 1))
        #expect(second.count == 2 && secondError?.code == .badResponse)
        let cursors = ScriptedSession(["a", "b", "a"].map { .json(#"{"list":[],"next":"\#($0)"}"#) })
        let (third, thirdError) = await walk(APILoader(Cursors(), session: cursors).pages(from: ""))
        #expect(third.count == 3 && thirdError?.code == .badResponse)
    }

    @Test func `a page from another origin cannot link to the first origin`() async {
        let moved = CannedReply.status(302).header("Location", "http://evil.test/list")
        let session = ScriptedSession([moved, Self.reply("1", next: "http://api.test/list?page=7")])
        let (read, error) = await walk(
            APILoader(Linked(), session: session.intercepted(by: RedirectInterceptor())).pages(from: 1))
        #expect(read.count == 1 && error?.code == .badResponse && session.recorded.count == 2)
    }

    private static let elsewhere = "the server's next link leads to another origin: expected the origin of the list"

    @Test(arguments: [false, true], [302, 307]) func `a link that redirects to another origin is not followed`(
        prefetches: Bool, status: Int
    ) async {
        let away = CannedReply.status(status).header("Location", "http://evil.test/list")
        let inside = CannedReply.status(status).header("Location", "/moved")
        let direct = ScriptedSession([Self.reply("1", next: "http://evil.test/list")])
        let (_, expected) = await walk(APILoader(Linked(), session: direct).pages(from: 1))
        #expect(expected?.code == .badResponse && expected?.reason.hasSuffix(Self.elsewhere) == true)
        for redirects in [[away], [inside, away]] {
            let session = ScriptedSession([Self.reply("1", next: "?page=2")] + redirects + [Self.reply("2")])
            let layered = session.intercepted(by: RedirectInterceptor())
            let policy = PagingPolicy(pageLimit: 5, prefetches: prefetches)
            let (read, error) = await walk(APILoader(Linked(), session: layered).pages(from: 1, policy: policy))
            #expect(read.count == 1 && session.recorded.count == 1 + redirects.count)
            #expect(error?.code == expected?.code && error?.reason == Self.elsewhere)
            #expect(session.recorded.allSatisfy { $0.url?.host() == "api.test" })
        }
    }

    /// A session that follows redirects by itself, as a session over another library may.
    struct Following: APISession {
        let script: ScriptedSession
        func send(_ request: APIRequest) async throws -> APIResponse {
            let response = try await script.send(request)
            guard request.url?.query() == "page=2" else { return response }
            let url = URL(string: "http://evil.test/list") ?? response.head.url
            let head = ResponseHead(status: response.head.status, headers: response.head.headers, url: url)
            return APIResponse(head: head, body: response.body)
        }
    }

    @Test func `a linked page that another origin returned is rejected`() async {
        let session = Following(script: ScriptedSession([Self.reply("1", next: "?page=2"), Self.reply("2")]))
        let (read, error) = await walk(APILoader(Linked(), session: session).pages(from: 1))
        #expect(read.count == 1 && error?.code == .badResponse && error?.reason == Self.elsewhere)
    }

    @Test func `a page of an input may be redirected to another origin`() async {
        let moved = CannedReply.status(302).header("Location", "http://b.test/list")
        let session = ScriptedSession([moved, .json(#"{"list":[1],"next":"a"}"#), moved, .json(#"{"list":[2]}"#)])
        let (read, error) = await walk(
            APILoader(Cursors(), session: session.intercepted(by: RedirectInterceptor())).pages(from: ""))
        #expect(error == nil && read.map(\.items) == [[1], [2]])
    }

    /// A list with cursors that are not in the URL: in a header, or in a body that is not in the request.
    struct Hidden: PagedHandler {
        let isInHeader: Bool
        func makeRequest(from cursor: String) -> URLRequest {
            var request = URLRequest(url: URL(string: "http://api.test/query") ?? URL(filePath: "/"))
            request.httpMethod = isInHeader ? "GET" : "POST"
            if isInHeader { request.setValue(cursor, forHTTPHeaderField: "X-Next") }
            return request
        }
        func body(for cursor: String) -> RequestBody? { isInHeader ? nil : .data(Data(cursor.utf8)) }
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
            try defaultParseResponse(data: data, response: response)
        }
        func nextPage(after page: Loaded<[String]>, from cursor: String) -> NextPage<String> {
            page.value.first.map { .input($0) } ?? .end
        }
    }

    @Test(arguments: [true, false]) func `headers and bodies distinguish pages of one URL`(isInHeader: Bool) async {
        let session = ScriptedSession([.json(#"["b"]"#), .json(#"["c"]"#), .json("[]")])
        let (read, error) = await walk(APILoader(Hidden(isInHeader: isInHeader), session: session).pages(from: "a"))
        #expect(read.count == 3 && error == nil)
        let circle = ScriptedSession([.json(#"["b"]"#), .json(#"["a"]"#)])
        let (some, end) = await walk(APILoader(Hidden(isInHeader: isInHeader), session: circle).pages(from: "a"))
        #expect(some.count == 2 && end?.code == .badResponse)
    }

    @Test func `an endless list without a limit is an error`() async {
        let session = ScriptedSession { request in
            let page = Int(request.queryItems.first { $0.name == "page" }?.value ?? "") ?? 0
            return Self.reply("", next: "?page=\(page + 1)")
        }
        let (read, error) = await walk(APILoader(Linked(), session: session).pages(from: 1))
        #expect(read.count == PagingPolicy.maximumPages && error?.code == .badResponse)
        #expect(read.last?.next?.number == PagingPolicy.maximumPages + 1)
    }

    @Test func `descriptions do not show a secret in the next URL`() async throws {
        let link = "?access_token=s3cret"
        let (read, _) = await walk(
            APILoader(Linked(), session: ScriptedSession([Self.reply("1", next: link)])).pages(
                from: 1, policy: PagingPolicy(pageLimit: 1)))
        let page = try #require(read.first)
        let next = try #require(page.next)
        let named = NextPage<Int>.link(try #require(next.link))
        for text in ["\(page)", "\(next)", "\(named)", "\(LinkHeader(page.head.headers).links)"] {
            #expect(!text.contains("s3cret"), "\(text)")
        }
        var dumped = ""
        dump(page, to: &dumped)
        dump(next, to: &dumped)
        dump(named, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test(arguments: ["POST", "QUERY"]) func `a link is requested with GET after any method`(
        method: String
    ) async {
        let session = ScriptedSession([Self.reply("1", next: "?page=2"), Self.reply("2")])
        let (read, _) = await walk(APILoader(Linked(method: method), session: session).pages(from: 1))
        #expect(read.count == 2 && session.recorded.map(\.method) == [HTTPMethod(method), .get])
        #expect(session.recorded.last.map { $0.body == .none && $0.headers["Content-Type"] == nil } == true)
    }

    @Test func `an error ends the iteration after the pages before it`() async throws {
        let session = ScriptedSession([Self.reply("1", next: "?page=2"), .json("{}", status: 403)])
        var pages = APILoader(Linked(), session: session).pages(from: 1).makeAsyncIterator()
        let first = try? await pages.next()
        #expect(first?.items == [1])
        let error = await #expect(throws: ServiceError.self) { _ = try await pages.next() }
        #expect(error?.status == 403)
        let end = try await pages.next()
        #expect(end == nil, "an ended iteration stays ended")
    }
}
