import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Page sequences that wait: pages in memory, prefetching and early ends.
@Suite(.timeLimit(.minutes(1))) struct PagesWaitingTests {
    /// A page that counts the pages in memory.
    final class Tracked: Sendable {
        let counter: Counter
        init(_ counter: Counter) {
            self.counter = counter
            counter.change(by: 1)
        }
        deinit { counter.change(by: -1) }
    }

    final class Counter: Sendable {
        private let value = Locked(0)
        var current: Int { value.withLock { $0 } }
        func change(by difference: Int) { value.withLock { $0 += difference } }
    }

    struct Numbered: PagedHandler {
        var living = Counter()
        var last = 100
        func makeRequest(from page: Int) -> URLRequest {
            URLRequest(url: URL(string: "http://api.test/\(page)") ?? URL(filePath: "/"))
        }
        func parseResponse(data: Data, response: HTTPURLResponse) -> Tracked { Tracked(living) }
        func items(of page: Tracked) -> [Int] { [] }
        func nextPage(after page: Loaded<Tracked>, from number: Int) -> NextPage<Int> {
            number < last ? .input(number + 1) : .end
        }
    }

    @Test(arguments: [(false, 2), (true, 3)]) func `one page is in memory, or two if pages are prefetched`(
        prefetches: Bool, most: Int
    ) async throws {
        let handler = Numbered()
        let session = ScriptedSession { _ in .text("") }
        var count = 0
        let policy = PagingPolicy(prefetches: prefetches)
        for try await _ in APILoader(handler, session: session).pages(from: 1, policy: policy) {
            count += 1
            // The loop also holds the previous page until its next iteration.
            #expect(handler.living.current <= most)
        }
        #expect(count == 100)
        #expect(await Soak.eventually { handler.living.current == 0 })
    }

    @Test func `prefetching requests one page ahead and no more`() async throws {
        let session = ScriptedSession { _ in .text("") }
        var pages = APILoader(Numbered(), session: session).pages(from: 1, policy: PagingPolicy(prefetches: true))
            .makeAsyncIterator()
        _ = try await pages.next()
        try await Soak.wait { session.recorded.count == 2 }
        _ = try await pages.next()
        try await Soak.wait { session.recorded.count == 3 }
        #expect(session.recorded.map(\.path) == ["/1", "/2", "/3"])
    }

    @Test(arguments: [false, true]) func `a running request ends when its reader leaves`(
        prefetches: Bool
    ) async throws {
        let ended = Locked(0)
        let session = ScriptedSession { request in
            guard request.path == "/2" else { return .text("") }
            await waitUntilCancelled()
            ended.withLock { $0 += 1 }
            throw CancellationError()
        }
        let loader = APILoader(Numbered(), session: session)
        let walk = Task {
            for try await _ in loader.pages(from: 1, policy: PagingPolicy(prefetches: prefetches)) where prefetches {
                try await Soak.wait { session.recorded.count == 2 }
                return
            }
        }
        if !prefetches {
            try await Soak.wait { session.recorded.count == 2 }
            walk.cancel()
            let error = await #expect(throws: ServiceError.self) { try await walk.value }
            #expect(error?.code == .cancelled)
        }
        _ = await walk.result
        try await Soak.wait { ended.withLock { $0 } == 1 }
    }

    @Test func `a wait for a prefetched page ends with its reader`() async throws {
        let session = ScriptedSession { request in
            if request.path == "/2" { await waitUntilCancelled() }
            return .text("")
        }
        let loader = APILoader(Numbered(), session: session)
        let waits = Locked(false)
        let walk = Task {
            var pages = loader.pages(from: 1, policy: PagingPolicy(prefetches: true)).makeAsyncIterator()
            _ = try await pages.next()
            waits.withLock { $0 = true }
            _ = try await pages.next()
        }
        try await Soak.wait { waits.withLock { $0 } && session.recorded.count == 2 }
        walk.cancel()
        await #expect(throws: ServiceError.self) { try await walk.value }
    }

    @Test(
        arguments: [
            ("thousands of relations", "</x>; rel=\"\(String(repeating: "next2 ", count: 8_000))\"", .badResponse),
            ("thousands of links", String(repeating: "</x>; rel=a, ", count: 4_000) + "</2>; rel=next", .badResponse),
            ("a megabyte", "<\(String(repeating: "x", count: 1 << 20))>; rel=next", .badResponse),
            (
                "a truncated relation", "</2>; rel=\"\(String(repeating: "x", count: 65_520)) next-archive\"",
                .badResponse
            ),
            ("many links without a next link", String(repeating: "</x>; rel=a, ", count: 999), nil),
        ] as [(String, String, ServiceError.Code?)])
    func `a hostile Link header does not hide the next page`(
        name: String, value: String, code: ServiceError.Code?
    ) async throws {
        try await LoopbackServer.withServer { request in
            request.path == "/list" ? .text("[]").header("Link", value) : .text("[]")
        } _: { server in
            struct Call: PagedHandler {
                let url: URL
                func makeRequest(from input: Void) -> URLRequest { URLRequest(url: url) }
                func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Int] {
                    try defaultParseResponse(data: data, response: response)
                }
            }
            let loader = APILoader(Call(url: server.url.appending(path: "list")))
            let elapsed = await ContinuousClock().measure {
                var found: ServiceError.Code?
                do throws(ServiceError) {
                    for try await _ in loader.pages(from: ()) {}
                } catch {
                    found = error.code
                }
                #expect(found == code)
            }
            #expect(elapsed < .seconds(5) * TestEnvironment.patience)
        }
    }
}

/// The recorded responses of GitHub for a list of five pages.
@Suite(.enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
struct RecordedPagesTests {
    struct Exchange: Decodable {
        let path: String
        let status: Int
        let headers: Headers
        let response: [Issue]
    }
    struct Headers: Decodable { let link: String? }
    struct Issue: Codable, Sendable { let number: Int }

    struct Issues: PagedHandler {
        func makeRequest(from path: String) -> URLRequest {
            URLRequest(url: URL(string: "https://api.github.com\(path)") ?? URL(filePath: "/"))
        }
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Issue] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    @Test func `a recorded list of five pages is iterated to its end`() async throws {
        let file = try #require(TestEnvironment.vectors).appending(path: "github/paginate-issues.json")
        let exchanges = try JSONDecoder().decode([Exchange].self, from: Data(contentsOf: file))
        let replies = try exchanges.map { exchange in
            let link = try #require(exchange.headers.link)
            let body = String(decoding: try JSONEncoder().encode(exchange.response), as: UTF8.self)
            return CannedReply.json(body, status: exchange.status).header("Link", link)
        }
        let session = ScriptedSession(replies)
        let pages = APILoader(Issues(), session: session).pages(from: try #require(exchanges.first).path)
        var counts: [Int] = []
        for try await page in pages { counts.append(page.items.count) }
        #expect(counts == [3, 3, 3, 3, 1])
        #expect(session.recorded.map { "\($0.path)?\($0.url?.query() ?? "")" } == exchanges.map(\.path))
        try session.verify()
    }
}
