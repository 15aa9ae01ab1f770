import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The public HTTP cache tests, in all groups that a private cache can pass. The server and the pauses are simulated.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
struct CacheVectorTests {
    struct Group: Decodable {
        let id: String
        let tests: [Case]
    }

    struct Case: Decodable, Sendable {
        let id: String
        let kind: String?
        let requests: [Step]

        private enum CodingKeys: String, CodingKey { case id, kind, requests }
    }

    struct Step: Decodable, Sendable {
        let responseHeaders: [Header]?
        let expected: String?
        let pauses: Bool?

        private enum CodingKeys: String, CodingKey {
            case responseHeaders = "response_headers"
            case expected = "expected_type"
            case pauses = "pause_after"
        }
    }

    /// A name, and a value that is a text or a number of seconds from now.
    struct Header: Decodable, Sendable {
        let name: String
        var text: String?
        var seconds: Int?

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            name = try list.decode(String.self)
            text = try? list.decode(String.self)
            if text == nil { seconds = try list.decode(Int.self) }
        }

        func value(at now: Date) -> String {
            text
                ?? HTTPDate.text(secondsSince1970: Int64(now.timeIntervalSince1970) + Int64(seconds ?? 0))
        }
    }

    /// Responds with the headers of each step, and counts the requests.
    private func server(_ test: Case, _ clock: ManualClock) -> ScriptedSession {
        ScriptedSession { request in
            let number = Int(request.headers["Req-Num"] ?? "") ?? 0
            var reply = CannedReply.text("body").header("Server-Request-Count", "\(number)")
            // A server that does not send a date has one in the tests' server.
            let headers = test.requests[number - 1].responseHeaders ?? []
            for header in headers { reply = reply.header(header.name, header.value(at: clock.date)) }
            return reply
        }
    }

    private func outcome(_ test: Case) async throws -> [Bool] {
        let clock = ManualClock()
        let session = server(test, clock).cached(in: MemoryCacheStore())
        var results: [Bool] = []
        for (index, step) in test.requests.enumerated() {
            var head = URLRequest(url: try #require(URL(string: "http://a.example/test/\(test.id)")))
            head.setValue("\(index + 1)", forHTTPHeaderField: "Req-Num")
            var request = APIRequest(head: head, body: .none)
            request.options.time = clock
            let response = try await session.send(request)
            let isCached = response.head.headers["Server-Request-Count"] != "\(index + 1)"
            if let expected = step.expected { results.append(isCached == (expected == "cached")) }
            if step.pauses == true { clock.advance(by: .seconds(3)) }
        }
        return results
    }

    @Test func `all required and optimal cases pass`() async throws {
        let file = try #require(TestEnvironment.vectors).appending(path: "http-cache/tests.json")
        let groups = try JSONDecoder().decode([Group].self, from: Data(contentsOf: file))
        // Those of shared caches: `s-maxage` does not apply to a private cache (RFC 9111, section 5.2.2.10).
        let shared = groups.flatMap(\.tests).filter { $0.id.contains("s-maxage-shared") }
        var passed = 0
        for test in groups.flatMap(\.tests) where test.kind != "check" && !test.id.contains("s-maxage-shared") {
            let results = try await outcome(test)
            #expect(results.allSatisfy { $0 }, "\(test.id)")
            passed += 1
        }
        #expect(passed == 41 && shared.count == 6)
    }
}
