import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Lists with numbered pages.
@Suite(.timeLimit(.minutes(3))) struct PagingRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let count: Int
        var size: Int?
        var links: [String] = []
        let hasNext: Bool
        var testDescription: String { "\(count) of \(size ?? 0) \(links)" }
    }

    static let rows: [Row] = [
        Row(count: 1, hasNext: true), Row(count: 0, hasNext: false),
        Row(count: 30, size: 30, hasNext: true), Row(count: 31, size: 30, hasNext: true),
        Row(count: 29, size: 30, hasNext: false), Row(count: 0, size: 30, hasNext: false),
        Row(count: 1, size: 0, hasNext: true), Row(count: 0, size: -1, hasNext: false),
        Row(count: 0, links: ["next"], hasNext: true), Row(count: 1, size: 30, links: ["next"], hasNext: true),
        Row(count: 30, links: ["prev"], hasNext: false), Row(count: 30, links: ["first", "last"], hasNext: false),
        Row(count: 30, size: 30, links: ["previous"], hasNext: false),
        Row(count: 30, links: ["prev", "next"], hasNext: true), Row(count: 30, links: ["preload"], hasNext: true),
    ]

    @Test(arguments: rows) func `a short page or links without a next one end the list`(row: Row) throws {
        let links = row.links.map { "</?page=9>; rel=\"\($0)\"" }.joined(separator: ", ")
        let head = ResponseHead(
            status: 200, headers: links.isEmpty ? [:] : ["Link": links],
            url: try #require(URL(string: "http://h.test/"))
        )
        let rule = PagingRule<Int>.numbered(\.self, size: row.size)
        #expect(try rule.next(4, row.count, head) == (row.hasNext ? .input(5) : .end))
    }

    @Test func `more links than the limit are an error`() throws {
        let links = (0...1_000).map { "</\($0)>; rel=\"x\"" }.joined(separator: ", ")
        let head = ResponseHead(status: 200, headers: ["Link": links], url: try #require(URL(string: "http://h.test/")))
        let error = #expect(throws: ServiceError.self) {
            try PagingRule<Int>.numbered(\.self).next(1, 1, head)
        }
        #expect(error?.code == .badResponse)
    }

    /// A handler with numbered pages and no links.
    private struct Counted: PagedHandler {
        var size: Int?
        var paging: PagingRule<ListAPI.Query> { .numbered(\.page, size: size) }
        func makeRequest(from query: ListAPI.Query) throws -> URLRequest { try ListAPI().makeRequest(from: query) }
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    @Test(arguments: [(nil, ["/a/1", "/a/2", "/a/3"]), (2, ["/a/1", "/a/2"])] as [(Int?, [String])])
    func `numbered pages are loaded until one is empty or short`(size: Int?, paths: [String]) async throws {
        let session = ScriptedSession([.json(#"["a","b"]"#), .json(#"["c"]"#), .json("[]")])
        var items: [String] = []
        for try await item in APILoader(Counted(size: size), session: session).pages(from: .init("a")).items {
            items.append(item)
        }
        #expect(items == ["a", "b", "c"] && session.recorded.map(\.path) == paths)
    }

    @Test func `an endless list is an error after the limit`() async throws {
        let session = ScriptedSession { _ in .json(#"["a"]"#) }
        let error = await #expect(throws: ServiceError.self) {
            for try await _ in APILoader(Counted(), session: session).pages(from: .init("a")) {}
        }
        #expect(error?.code == .badResponse && session.recorded.count == PagingPolicy.maximumPages)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func `a model loads numbered pages without a Link header`() async {
        let session = ScriptedSession([.json(#"["a"]"#), .json(#"["b"]"#), .json("[]")])
        let model = APIModel(APILoader(ListAPI(), session: session), more: .numbered(\.page))
        model.load(.init("x"))
        await model.settled()
        for shown in [["a"], ["a", "b"]] {
            #expect(model.state == .loaded(shown) && model.canLoadMore)
            model.loadMore()
            await model.settled()
        }
        #expect(model.state == .loaded(["a", "b"]) && !model.canLoadMore)
        #expect(session.recorded.map(\.path) == ["/x/1", "/x/2", "/x/3"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: [(nil, false), (1, true)] as [(Int?, Bool)]) @MainActor
    func `a model loads no page beyond its limit`(limit: Int?, endsQuietly: Bool) async {
        let session = ScriptedSession { _ in .json(#"["a"]"#) }
        let policy = PagingPolicy(pageLimit: limit)
        let model = APIModel(APILoader(ListAPI(), session: session), more: .numbered(\.page, policy: policy))
        model.load(.init("x"))
        await model.settled()
        for _ in 0..<(limit ?? PagingPolicy.maximumPages) {
            model.loadMore()
            await model.settled()
        }
        #expect(session.recorded.count == limit ?? PagingPolicy.maximumPages)
        #expect((model.state.error == nil) == endsQuietly && !model.canLoadMore)
    }
}
