import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReplaySessionTests {
    private func request(
        _ method: String = "GET", _ url: String, body: RequestBody = .none, headers: [String: String] = [:]
    ) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: url)))
        head.httpMethod = method
        for (name, value) in headers { head.setValue(value, forHTTPHeaderField: name) }
        var request = APIRequest(head: head, body: body)
        request.options.time = InstantClock()
        return request
    }

    private func recorded(_ replies: [CannedReply], _ requests: [APIRequest]) async throws -> HTTPArchive {
        let recording = RecordingSession(ScriptedSession(replies))
        for request in requests { _ = try? await recording.send(request) }
        return try HTTPArchive(data: recording.archive.data)
    }

    private func get(_ url: String, from session: some APISession) async throws -> String {
        let response = try await session.send(request("GET", url))
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    @Test func `responses are replayed in the order of the recording`() async throws {
        let urls = ["https://a.example/1", "https://a.example/2", "https://a.example/1"]
        let archive = try await recorded([.text("a"), .text("b"), .text("c")], urls.map { try request("GET", $0) })
        let replay = ReplaySession(archive)
        #expect(try await get(urls[0], from: replay) == "a")
        #expect(try await get(urls[2], from: replay) == "c")
        #expect(try await get(urls[1], from: replay) == "b")
        try replay.verify()
    }

    @Test func `bytes, headers and failures are replayed`() async throws {
        let bytes = Data([0xFF, 0xD8, 0x00])
        let url = "https://a.example/"
        let archive = try await recorded(
            [
                CannedReply.data(bytes, type: "image/jpeg", status: 203).header("ETag", "\"1\"")
                    .header("Content-Encoding", "br"),
                .failure(ServiceError(.connectionLost, "gone")),
            ], [try request("GET", url), try request("GET", url)])
        let replay = ReplaySession(archive)
        let response = try await replay.send(request("GET", url))
        #expect(try await response.body.collect() == bytes)
        #expect(response.head.status == 203 && response.head.headers["ETag"] == "\"1\"")
        #expect(response.head.headers["Content-Encoding"] == nil)
        let error = await #expect(throws: ServiceError.self) { try await replay.send(request("GET", url)) }
        #expect(error?.code == .connectionLost && error?.reason == "gone")
    }

    @Test func `secrets are neither recorded nor compared`() async throws {
        func sent(_ key: String) throws -> APIRequest {
            try request(
                "POST", "https://a.example/?api_key=\(key)&page=1", body: .data(Data("{\"password\":\"\(key)\"}".utf8)),
                headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"])
        }
        let archive = try await recorded([.text("your key is first-key")], [try sent("first-key")])
        let text = String(decoding: archive.data, as: UTF8.self)
        #expect(!text.contains("first-key"))
        let replay = ReplaySession(archive)
        _ = try await replay.send(try sent("other-key"))
        try replay.verify()
    }

    @Test func `a request without an entry fails with its differences`() async throws {
        let archive = try await recorded(
            [.text("a"), .text("b")],
            [
                try request("POST", "https://a.example/x?a=1", body: .data(Data("{\"n\":1}".utf8))),
                try request("GET", "https://a.example/y"),
            ])
        let replay = ReplaySession(archive)
        let wrong = try request("POST", "https://a.example/x?a=2", body: .data(Data("{\"n\":2}".utf8)))
        let error = await #expect(throws: ServiceError.self) { try await replay.send(wrong) }
        #expect(error?.code == .configuration)
        let problems = #expect(throws: VerificationError.self) { try replay.verify() }
        #expect(
            problems?.problems == [
                """
                unmatched  POST https://a.example/x?a=2
                  the most similar unused entry is entry 1:
                    query: expected a=1, got a=2
                    body: expected {"n":1}, got {"n":2}
                """,
                "never used  entry 1: POST https://a.example/x?a=1", "never used  entry 2: GET https://a.example/y",
            ])
        _ = try await replay.send(
            try request("POST", "https://a.example/x?a=1", body: .data(Data("{ \"n\": 1 }".utf8))))
    }

    @Test(arguments: [
        ("https://A.example/x?b=2&a=1", true), ("http://a.example:8080/x?a=1&b=2", true),
        ("https://a.example/x?a=1", false), ("https://b.example/x?a=1&b=2", false),
        ("https://a.example/y?a=1&b=2", false),
    ]) func `loose matching ignores the order of the query, the body and the port`(url: String, matches: Bool)
        async throws
    {
        let archive = try await recorded(
            [.text("a")], [try request("POST", "https://a.example/x?a=1&b=2", body: .data(Data("1".utf8)))])
        let sent = try request("POST", url, body: .data(Data("2".utf8)))
        let loose = try? await ReplaySession(archive, matching: .loose).send(sent)
        #expect((loose?.head.status == 200) == matches)
        await #expect(throws: ServiceError.self) { try await ReplaySession(archive).send(sent) }
    }

    @Test func `a stream is replayed with its recorded times`() async throws {
        let reply = CannedReply.chunks([Data("ab".utf8), Data("c".utf8), Data("d".utf8)]).pausing(.seconds(5))
        let recording = RecordingSession(ScriptedSession([reply.delayed(by: .seconds(3))]))
        var sent = try request("GET", "https://a.example/")
        sent.options.delivery = .streamed
        _ = try await recording.send(sent).body.collect()
        for (pace, waits) in [(ReplaySession.Pace.immediate, []), (.recorded, [3, 5, 5])] {
            let clock = InstantClock()
            sent.options.time = clock
            var parts: [String] = []
            let body = try await ReplaySession(recording.archive, pace: pace).send(sent).body
            for try await part in body { parts.append(String(decoding: part, as: UTF8.self)) }
            #expect(parts == ["ab", "c", "d"] && clock.waits == waits.map { .seconds($0) })
        }
    }

    @Test func `a body that was not recorded completely fails`() async throws {
        let recording = RecordingSession(ScriptedSession([.text("hello")]), bodyLimit: 3)
        _ = try await recording.send(request("GET", "https://a.example/"))
        let error = await #expect(throws: ServiceError.self) {
            try await get("https://a.example/", from: ReplaySession(recording.archive))
        }
        #expect(error?.reason.contains("only the first 3 of 5 bytes") == true, "\(error?.reason ?? "")")
    }

    @Test func `the boundary of a form is not compared`() async throws {
        let form = MultipartBody([.field("1", name: "a")])
        let archive = try await recorded(
            [.text("a")], [try request("POST", "https://a.example/", body: .multipart(form))])
        let replay = ReplaySession(archive)
        let same = MultipartBody([.field("1", name: "a")])
        _ = try await replay.send(request("POST", "https://a.example/", body: .multipart(same)))
        try replay.verify()
    }

    @Test func `a user name in the path is not compared if it is a credential`() async throws {
        func sent(_ user: String, _ path: String = "alice") throws -> APIRequest {
            let credentials = Data("\(user):pass".utf8).base64EncodedString()
            return try request(
                "GET", "https://a.example/users/\(path)", headers: ["Authorization": "Basic \(credentials)"])
        }
        let archive = try await recorded([.text("a")], [try sent("alice")])
        #expect(archive.entries.first?.request.url.contains("alice") == false)
        let replay = ReplaySession(archive)
        await #expect(throws: ServiceError.self) { try await replay.send(try sent("tester", "alice/orders")) }
        _ = try await replay.send(try sent("tester"))
    }

    @Test func `a credential of the test can be a part of the path`() async throws {
        func sent(_ key: String) throws -> APIRequest {
            try request("GET", "https://a.example/test/1?name=test", headers: ["X-Api-Key": key])
        }
        let archive = try await recorded([.text("a")], [try sent("real-key-1234")])
        let replay = ReplaySession(archive)
        _ = try await replay.send(try sent("test"))
        await #expect(throws: ServiceError.self) { try await replay.send(try sent("test")) }
        let problems = #expect(throws: VerificationError.self) { try replay.verify() }
        #expect(problems?.problems.first?.contains("test") == false, "\(problems?.problems.first ?? "")")
    }

    @Test func `a body that is still being received is not complete`() async throws {
        let recording = RecordingSession(ScriptedSession([.chunks([Data("a".utf8), Data("b".utf8)])]))
        var sent = try request("GET", "https://a.example/")
        sent.options.delivery = .streamed
        var iterator = try await recording.send(sent).body.makeAsyncIterator()
        _ = try await iterator.next()
        let archive = recording.archive
        #expect(archive.entries.first?.response?.body.isComplete == false)
        await #expect(throws: ServiceError.self) { try await get("https://a.example/", from: ReplaySession(archive)) }
    }

    @Test func `a response to HEAD keeps its length`() async throws {
        let head = CannedReply.status(200).header("Content-Length", "1234")
        let archive = try await recorded([head], [try request("HEAD", "https://a.example/")])
        let response = try await ReplaySession(archive).send(request("HEAD", "https://a.example/"))
        #expect(response.head.headers["Content-Length"] == "1234")
    }
}
