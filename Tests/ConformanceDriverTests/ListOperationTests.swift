import ErrandLoopback
import Foundation
import TestSupport
import Testing

/// The driver's operations for links, page sequences and GraphQL.
@Suite(.timeLimit(.minutes(2))) struct ListOperationTests {
    @Test func `links are absolute, with their parameters in order`() async throws {
        let value = ##"<../b?c=d>; rel="next last"; title="a, b", <http://e.test/>; anchor="#x"; rel=up"##
        let results = try await ConformanceDriver.ask([
            ["id": 1, "op": "link", "value": value, "base": "http://a.test/x/y"],
            ["id": 2, "op": "link", "value": "none", "base": "http://a.test/"],
        ])
        let links = try #require(results[1]?["links"] as? [[String: Any]])
        #expect(
            links.map { $0["target"] as? String } == ["http://a.test/b?c=d", "http://a.test/b?c=d", "http://e.test/"])
        #expect(links.map { $0["rel"] as? String } == ["next", "last", "up"])
        #expect(links.map { $0["anchor"] as? String } == [nil, nil, "#x"])
        #expect((links.first?["params"] as? [[String]]) == [["rel", "next last"], ["title", "a, b"]])
        #expect((results[2]?["links"] as? [Any])?.isEmpty == true)
    }

    @Test func `a file name is safe, or null`() async throws {
        let results = try await ConformanceDriver.ask([
            ["id": 1, "op": "content-disposition", "value": "attachment; filename*=UTF-8''%2e%2e%2f%e2%82%ac.pdf"],
            ["id": 2, "op": "content-disposition", "value": "attachment; filename=\"..\""],
            ["id": 3, "op": "content-disposition"],
        ])
        #expect(results[1]?["filename"] as? String == "€.pdf")
        #expect(results[2]?["filename"] is NSNull && results[3]?["filename"] is NSNull)
    }

    @Test(.enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
    func `published links and references have the published results`() async throws {
        let folder = try #require(TestEnvironment.vectors)
        func json(_ path: String) throws -> Any {
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: path)))
        }
        let headers = try #require(try json("link-header/rfc8288-3.5.json") as? [[String: Any]])
        let examples = try #require(try json("rfc/rfc-examples.json") as? [String: Any])
        let section = try #require(examples["rfc3986_5_4"] as? [String: Any])
        let references = try #require(section["cases"] as? [[String: String]])
        #expect(headers.count == 7 && references.count == 42)
        let base = "http://example.com/base/"
        var lines: [[String: Any]] = headers.enumerated().map { id, row in
            ["id": id, "op": "link", "value": row["input"] ?? "", "base": base]
        }
        for (id, row) in references.enumerated() {
            let value = "<\(row["ref"] ?? "")>; rel=next"
            lines.append(["id": 100 + id, "op": "link", "value": value, "base": section["base"] ?? ""])
        }
        let results = try await ConformanceDriver.ask(lines)
        for (id, row) in headers.enumerated() {
            let found = (results[id]?["links"] as? [[String: Any]])?.map { $0["rel"] as? String }
            let expected = (row["expected"] as? [[String: Any]])?.map { $0["rel"] as? String }
            // Example 6 shows one of two equivalent headers, and lists the links of both.
            let isHalf = (row["name"] as? String)?.hasSuffix("Equivalence") == true
            #expect(isHalf ? expected?.starts(with: found ?? [nil]) == true : found == expected)
        }
        for (id, row) in references.enumerated() {
            let target = (results[100 + id]?["links"] as? [[String: Any]])?.first?["target"] as? String
            #expect(target == row["target"], "\(row["ref"] ?? "")")
        }
    }

    @Test func `iteration stops at the last page, the limit or an error`() async throws {
        let server = try LoopbackServer { request in
            let page = request.queryItems.first?.value.flatMap { Int($0) } ?? 1
            let reply = LoopbackReply.json("[1,2]")
            switch (request.path, page) {
            case ("/list", 1...2): return reply.header("Link", "<?page=\(page + 1)>; rel=next")
            case ("/away", _): return reply.header("Link", "<http://elsewhere.test/>; rel=next")
            case ("/list", _): return reply
            default: return .status(404)
            }
        }
        let base = server.url.absoluteString + "/"
        let results = try await ConformanceDriver.ask([
            ["id": 1, "op": "paginate", "url": base + "list"],
            ["id": 2, "op": "paginate", "url": base + "list", "max": 2],
            ["id": 3, "op": "paginate", "url": base + "away"],
            ["id": 4, "op": "paginate", "url": base + "nothing"],
        ])
        #expect((results[1]?["pages"] as? [String]) == [base + "list", base + "list?page=2", base + "list?page=3"])
        #expect(results[1]?["items"] as? Int == 6 && results[1]?["stopped"] as? String == "end")
        #expect((results[2]?["pages"] as? [String])?.count == 2 && results[2]?["stopped"] as? String == "max")
        #expect((results[3]?["stopped"] as? String)?.hasPrefix("bad-response: ") == true)
        #expect((results[4]?["error"] as? String)?.hasPrefix("status: ") == true)
        await server.stop()
    }

    @Test func `a GraphQL response has its data, errors and kind`() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/partial": .json(#"{"data":{"a":null},"errors":[{"message":"no","path":["a",0],"x":1}]}"#)
            case "/refused": .json(#"{"errors":[{"message":"no"}]}"#, status: 400)
            case "/page": .text("<html>", status: 502)
            default: .json(#"{"data":{"method":"\#(request.method)","body":\#(request.body.count)}}"#)
            }
        }
        let base = server.url.absoluteString + "/"
        let query = "query A($n: Int) { a(n: $n) } query B { b }"
        var line: [String: Any] = ["id": 1, "op": "graphql", "url": base, "query": query, "operationName": "A"]
        line["variables"] = ["n": 1]
        var lines = [line]
        for (id, change) in [
            2: ["url": base + "partial"], 3: ["url": base + "refused"], 4: ["url": base + "page"],
            5: ["method": "GET"], 6: ["operationName": "C"],
        ] {
            lines.append(line.merging(change) { $1 }.merging(["id": id]) { $1 })
        }
        let results = try await ConformanceDriver.ask(lines)
        let body = #"{"operationName":"A","query":"\#(query)","variables":{"n":1}}"#
        #expect(results[1]?["kind"] as? String == "data")
        #expect((results[1]?["data"] as? [String: Any])?["body"] as? Int == body.utf8.count)
        #expect(results[2]?["kind"] as? String == "partial")
        #expect(((results[2]?["errors"] as? [[String: Any]])?.first?["path"] as? [Any])?.count == 2)
        #expect(results[3]?["kind"] as? String == "request-error" && results[3]?["data"] is NSNull)
        #expect((results[4]?["error"] as? String)?.hasPrefix("status: ") == true)
        #expect((results[5]?["data"] as? [String: Any])?["method"] as? String == "GET")
        #expect((results[6]?["error"] as? String)?.hasPrefix("configuration: ") == true)
        await server.stop()
    }
}
