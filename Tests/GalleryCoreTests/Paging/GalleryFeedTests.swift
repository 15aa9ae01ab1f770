import Errand
import ErrandTesting
import GalleryCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct GalleryFeedTests {
    static let call = GalleryAPI(environment: .staging(at: "http://h.example/v1"), accessKey: Secret("k3y"))

    private static func page(_ link: String?, _ more: HeaderFields = [:]) -> CannedReply {
        var headers = more
        if let link { headers.append("Link", link) }
        return CannedReply(status: 200, headers: headers, chunks: [Data("[\(GalleryModelTests.smallest)]".utf8)])
    }

    /// Iterates to the end. Returns the pages and the error, if any.
    private func walk(_ session: ScriptedSession, limit: Int) async -> (pages: [GalleryPage], error: ServiceError?) {
        var pages: [GalleryPage] = []
        do throws(ServiceError) {
            let feed = GalleryFeed(Self.call, session: session.intercepted(by: RedirectInterceptor()))
            for try await page in feed.pages(from: GalleryQuery(page: 1), limit: limit) { pages.append(page) }
        } catch {
            return (pages, error)
        }
        return (pages, nil)
    }

    @Test func `pages follow the next links until the last page`() async {
        let session = ScriptedSession([
            Self.page("<http://h.example/v1/photos?page=2&x=a%2Bb>; rel=\"next\"", ["X-Total": "3"]),
            Self.page("</v1/photos?cursor=%C3%BC>; rel=\"prev next\""), Self.page("</v1/photos>; rel=first"),
        ])
        let (pages, error) = await walk(session, limit: 10)
        #expect(error == nil && pages.map(\.number) == [1, 2, 3] && pages.map(\.total) == [3, nil, nil])
        #expect(
            session.recorded.map { $0.head.url?.absoluteString } == [
                "http://h.example/v1/photos?page=1", "http://h.example/v1/photos?page=2&x=a%2Bb",
                "http://h.example/v1/photos?cursor=%C3%BC",
            ])
        #expect(session.recorded.allSatisfy { $0.head.value(forHTTPHeaderField: "Authorization") == "Client-ID k3y" })
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (2, 2)])
    func `pages beyond the limit are not requested`(limit: Int, count: Int) async {
        let session = ScriptedSession([
            Self.page("</v1/photos?page=2>; rel=next"), Self.page("</v1/photos?page=3>; rel=next"),
        ])
        let (pages, error) = await walk(session, limit: limit)
        #expect(error == nil && pages.count == count && session.recorded.count == count)
    }

    @Test(arguments: [
        ("<http://evil.example/v1/photos?page=2>; rel=next", ServiceError.Code.badResponse),
        ("<https://h.example/v1/photos?page=2>; rel=next", .badResponse),
        ("<//evil.example/v1/photos>; rel=next", .badResponse),
        ("</admin>; rel=next", .configuration), ("<http://h.example:8080/v1/photos>; rel=next", .badResponse),
        ("<javascript:x>; rel=next", .badResponse), ("<http://[>; rel=next", .badResponse),
        ("<?page=1>; rel=next", .badResponse), ("<>; rel=next", .badResponse),
    ])
    func `a link outside the API or to an earlier page fails`(
        link: String, code: ServiceError.Code
    ) async {
        let session = ScriptedSession([Self.page(link), Self.page(nil)])
        let (pages, error) = await walk(session, limit: 5)
        #expect(error?.code == code)
        #expect(pages.count == 1 && session.recorded.count == 1, "expected the page without a request for its link")
    }

    @Test(arguments: ["[%@,{},7,%@]", #"{"total":4,"total_pages":1,"results":[%@,{},7,%@]}"#])
    func `a lenient feed returns valid photos and the errors of the others`(form: String) async throws {
        let body = form.replacingOccurrences(of: "%@", with: GalleryModelTests.smallest)
        let feed = GalleryFeed(LossyCall(Self.call), session: ScriptedSession([.json(body)]))
        var pages: [GalleryPage] = []
        for try await page in feed.pages(from: GalleryQuery(), limit: 2) { pages.append(page) }
        #expect(pages.map(\.photos.count) == [2] && pages.map(\.unreadable.count) == [2])
        #expect(pages.first?.unreadable.allSatisfy { $0 is DecodingError } == true)
        #expect(pages.first?.total == (form.hasPrefix("{") ? 4 : nil))
    }

    @Test func `a strict feed rejects a page with an invalid photo`() async {
        let (pages, error) = await walk(ScriptedSession([.json("[\(GalleryModelTests.smallest),{}]")]), limit: 1)
        #expect(pages.isEmpty && error?.code == .decoding)
    }

    @Test func `a loop of pages is an error`() async {
        let session = ScriptedSession([
            Self.page("<?page=2>; rel=next"), Self.page("<?page=3>; rel=next"), Self.page("<?page=2>; rel=next"),
            Self.page(nil),
        ])
        let (pages, error) = await walk(session, limit: 100)
        #expect(pages.count == 3 && error?.code == .badResponse)
    }

    @Test func `a loop through a redirect is an error`() async {
        let moved = CannedReply.status(302).header("Location", "/v1/photos?cursor=x")
        let session = ScriptedSession([
            Self.page("<?page=2>; rel=next"), moved, Self.page("<?page=2>; rel=next"), moved, Self.page(nil),
        ])
        let (pages, error) = await walk(session, limit: 100)
        #expect(pages.count == 2 && error?.code == .badResponse && session.recorded.count == 3)
    }

    @Test func `links are resolved against the URL after a redirect`() async {
        let session = ScriptedSession([
            .status(302).header("Location", "http://other.example/v1/photos"),
            Self.page("<?page=2>; rel=next"), Self.page(nil),
        ])
        let (pages, error) = await walk(session, limit: 100)
        #expect(pages.count == 1 && error?.code == .badResponse && session.recorded.count == 2)
    }

    @Test func `a failed page ends the sequence after the earlier pages`() async {
        let session = ScriptedSession([
            Self.page("<?page=2>; rel=next"), .json(#"{"errors":["Rate Limit Exceeded"]}"#, status: 403),
        ])
        let (pages, error) = await walk(session, limit: 100)
        #expect(pages.count == 1 && error?.code == .status && error?.status == 403)
        #expect((error?.serverError as? UnsplashError)?.errors == ["Rate Limit Exceeded"])
    }
}
