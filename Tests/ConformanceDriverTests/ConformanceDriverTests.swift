import Errand
import ErrandLoopback
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ConformanceDriverTests {
    @Test func `an unsupported request is reported as unsupported`() async throws {
        let results = try await ConformanceDriver.ask([
            ["id": 1, "op": "har-record"],
            ["id": 2, "url": "http://a.test/", "redirect": "nofollow"],
            ["id": 3, "url": "http://a.test/", "cache": "force-cache"], ["id": 4],
        ])
        #expect((1...4).allSatisfy { results[$0]?["unsupported"] as? Bool == true })
        let cached = try await ConformanceDriver.ask([["id": 1, "url": "http://a.test/"]], ["--cache", "valkey"])
        #expect(cached[1]?["unsupported"] as? Bool == true)
    }

    @Test func `a later run uses the cache on disk`() async throws {
        let folder = try ScratchFolder()
        let server = try LoopbackServer { _ in .text("1").header("Cache-Control", "max-age=60") }
        let request: [String: any Sendable] = ["id": 1, "url": server.url.absoluteString, "cache": "default"]
        for isStored in [false, true] {
            let results = try await ConformanceDriver.ask([request], ["--cache", "disk:\(folder.url.path)"])
            let trail = try #require(results[1]?["trail"] as? [String])
            #expect(trail.contains { $0.hasPrefix("cache: fresh") } == isStored)
        }
        await server.stop()
    }

    @Test func `a cache in memory refuses to send a request`() async throws {
        let results = try await ConformanceDriver.ask(
            [["id": 1, "url": "http://a.test/", "cache": "only-if-cached"]], ["--cache", "memory"])
        #expect((results[1]?["error"] as? String)?.hasPrefix("not-cached: ") == true)
    }

    /// The default session, and each transport of this platform by name.
    static let sessions: [[String]] =
        [[], ["--session", "urlsession"]] + (Platform.name == "Linux" ? [["--session", "curl"]] : [])

    @Test(arguments: sessions) func `a fetch returns the server's response`(session: [String]) async throws {
        let server = try LoopbackServer { request in
            .text(
                "\(request.method) \(request["X-A"] ?? "") \(String(decoding: request.body, as: UTF8.self))",
                status: 201)
        }
        let results = try await ConformanceDriver.ask(
            [
                [
                    "id": 7, "op": "fetch", "method": "POST", "url": server.url.absoluteString,
                    "headers": [["X-A", "b"]],
                    "body": "héllo", "redirect": "manual",
                ]
            ], session)
        #expect(results[7]?["status"] as? Int == 201)
        #expect(results[7]?["statusText"] as? String == "Created")
        #expect(results[7]?["body"] as? String == "POST b héllo")
        #expect((results[7]?["headers"] as? [[String]])?.contains { $0[0] == "Content-Length" } == true)
        await server.stop()
    }

    @Test(arguments: sessions) func `a redirect is followed, returned or refused`(session: [String]) async throws {
        let server = try LoopbackServer { request in
            request.path == "/x" ? .text("end") : .text("moved", status: 302).header("Location", "/x")
        }
        let modes: [(mode: String?, end: String)] = [
            (nil, "200 end"), ("follow", "200 end"), ("manual", "302 moved"),
            ("error", "redirect: unexpected redirect: the redirect policy of the request is .error"),
        ]
        let lines = modes.enumerated().map { id, row in
            var line: [String: Any] = ["id": id, "url": server.url.absoluteString]
            line["redirect"] = row.mode
            return line
        }
        let results = try await ConformanceDriver.ask(lines, session)
        for (id, row) in modes.enumerated() {
            let result = try #require(results[id])
            let end = result["error"] as? String ?? "\(result["status"] ?? "") \(result["body"] ?? "")"
            #expect(end == row.end)
        }
        await server.stop()
    }

    @Test func `a failure is an error with its code`() async throws {
        let results = try await ConformanceDriver.ask([
            ["id": 1, "op": "uritemplate", "template": "{a", "variables": [:]],
            ["id": 2, "url": "ftp://a.test/"],
        ])
        #expect((results[1]?["error"] as? String)?.hasPrefix("configuration: ") == true)
        #expect((results[2]?["error"] as? String)?.hasPrefix("encoding: ") == true)
    }

    @Test(.enabled(if: TestEnvironment.vectors != nil))
    func `all 181 cases of the URI template suite pass through the driver`() async throws {
        let folder = try #require(TestEnvironment.vectors).appending(path: "uritemplate")
        var lines: [[String: Any]] = []
        var expected: [Int: Any] = [:]
        for file in ["spec-examples.json", "spec-examples-by-section.json"] {
            let data = try Data(contentsOf: folder.appending(path: file))
            let groups = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
            for group in groups.values {
                for testcase in try #require(group["testcases"] as? [[Any]]) {
                    let id = lines.count
                    lines.append([
                        "id": id, "op": "uritemplate", "template": testcase[0], "variables": group["variables"] ?? [:],
                    ])
                    expected[id] = testcase[1]
                }
            }
        }
        let results = try await ConformanceDriver.ask(lines)
        let passed = expected.filter { id, expected in
            let result = results[id]?["result"] as? String
            if let choices = expected as? [String] { return result.map(choices.contains) == true }
            if let text = expected as? String { return result == text }
            return results[id]?["error"] != nil
        }
        #expect(lines.count == 181 && passed.count == 181)
    }
}
