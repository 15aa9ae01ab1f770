import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Storing responses (RFC 9111, section 3), and their keys (section 4.1).
@Suite(.timeLimit(.minutes(1))) struct CacheStoringTests {
    private static let responses: [(CannedReply, String?)] = [
        (.caching("max-age=10"), nil), (.caching("private, max-age=10"), nil), (.caching("public, max-age=10"), nil),
        (.caching("no-store, max-age=10"), "no-store"), (.caching("max-age=10, NO-STORE"), "no-store"),
        (.caching("no-store, must-understand, max-age=10"), nil),
        (.caching("no-store, must-understand, max-age=10", status: 599), "must-understand"),
        (.caching("max-age=10", status: 404), nil), (.caching("max-age=10", status: 503), nil),
        (.caching("max-age=10", status: 299), nil), (.caching("max-age=10", status: 206), "status 206"),
        (.text("1", status: 403).header("ETag", "\"1\""), "status 403 without an explicit lifetime"),
        (.text("1"), "neither a lifetime nor a validator"), (.text("1").header("ETag", "\"1\""), nil),
        (.caching("max-age=10").header("Vary", "*"), "Vary"),
        (.caching("max-age=10").header("Vary", "Accept, *"), "Vary"),
        (.caching("max-age=10").header("Vary", "Cookie"), "Vary"),
        (.caching("max-age=10").header("Set-Cookie", "a=b"), nil),
    ]

    @Test(arguments: responses.indices) func `a response is stored if its status and directives allow it (3)`(
        index: Int
    ) async throws {
        let (reply, obstacle) = Self.responses[index]
        let scene = CacheScene(reply)
        #expect(try await scene.get().notes == (obstacle.map { ["not stored: \($0)"] } ?? []))
        #expect(scene.store.usage.entries == (obstacle == nil ? 1 : 0))
    }

    @Test func `a later response that is not stored removes an earlier one`() async throws {
        let scene = CacheScene(.caching("max-age=1"), .caching("no-store", "2"), .text("3"))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(1))
        _ = try await scene.get()
        #expect(scene.store.usage.entries == 0)
        #expect(try await scene.get("/a", ["Cache-Control": "max-stale"]).body == "3")
    }

    @Test func `headers of the connection and those listed in no-cache are not stored (3.1 and 5.2.2.4)`() async throws
    {
        let names = [
            "Connection", "Keep-Alive", "TE", "Transfer-Encoding", "Upgrade", "Proxy-Connection", "Proxy-Authenticate",
            "X-Hop", "X-Fresh",
        ]
        var reply = CannedReply.caching("max-age=10, no-cache=\"X-Fresh, b\"").header("X-Kept", "1")
            .header("Set-Cookie", "a=b")
        for name in names { reply = reply.header(name, name == "Connection" ? "X-Hop" : "1") }
        let scene = CacheScene(reply)
        _ = try await scene.get()
        let stored = try await scene.get()
        #expect(stored.header("X-Kept") == "1" && stored.header("Set-Cookie") == "a=b" && scene.sent == 1)
        for name in names { #expect(stored.header(name) == nil, "\(name)") }
    }

    /// The stored and the later values of a selecting header, and whether they match.
    private static let selections: [(String, String?, String?, Bool)] = [
        ("Foo", "1", "1", true), ("Foo", "1", "2", false), ("Foo", nil, "1", false), ("Foo", "1", nil, false),
        ("Foo", nil, nil, true), ("Foo", "1, 2", "1,2", true), ("Foo", "1,2", " 1 ,2 ", true),
        ("Foo", "1,2", "2,1", false),
        ("Foo", "a", "A", false), ("Accept-Language", "en, de", "EN,De", true),
        ("Accept-Language", "en, de", "de, en", false),
        ("Accept-Language", "en;q=0.5, de", "en; q=0.5,de", true), ("Accept-Encoding", "gzip, br", "br,gzip", true),
        ("Foo", "\"a,b\"", "\"a, b\"", false),
    ]

    @Test(arguments: selections.indices) func `Vary selects a variant by normalized values (4.1)`(index: Int)
        async throws
    {
        let (name, first, second, matches) = Self.selections[index]
        let scene = CacheScene(.caching("max-age=10").header("Vary", "x-other, \(name)"), .text("2"))
        func headers(_ value: String?) -> [String: String] { value.map { [name: $0] } ?? [:] }
        _ = try await scene.get("/a", headers(first))
        #expect(try await scene.get("/a", headers(second)).body == (matches ? "1" : "2"))
    }

    @Test func `several variants are stored, and the newest is used (4.1)`() async throws {
        let reply: (String) -> CannedReply = { .caching("max-age=10", $0).header("Vary", "Foo") }
        let scene = CacheScene(reply("1"), reply("2"))
        #expect(try await scene.get("/a", ["Foo": "1"]).body == "1")
        #expect(try await scene.get("/a", ["Foo": "2"]).body == "2")
        #expect(try await scene.get("/a", ["Foo": "1"]).body == "1")
        #expect(scene.sent == 2 && scene.store.usage.entries == 2)
    }

    @Test func `the key is the URL with its query, without its fragment (2)`() async throws {
        let scene = CacheScene(.caching("max-age=10"), .caching("max-age=10", "2"))
        _ = try await scene.get("/a?b=1")
        #expect(try await scene.get("/a?b=1#c").body == "1")
        #expect(try await scene.get("/a?b=2").body == "2")
    }

    @Test func `the responses of each account are separate (3.5)`() async throws {
        let scene = CacheScene(.caching("max-age=10"), .caching("max-age=10", "2"), .text("3"))
        let first = ["Authorization": "Bearer one"], second = ["Authorization": "Bearer two"]
        #expect(try await scene.get("/a", first).body == "1")
        #expect(try await scene.get("/a", second).body == "2")
        #expect(try await scene.get("/a", first).body == "1")
        #expect(try await scene.get("/a").body == "3")
    }

    @Test func `a request with credentials and no identity is not stored`() async throws {
        let store = MemoryCacheStore()
        let script = ScriptedSession([.caching("max-age=10"), .text("2")])
        let session = script.intercepted(by: CacheInterceptor(store))
        for body in ["1", "2"] {
            let request = try CacheScene.request(.get, "/a", ["Authorization": "Bearer one"])
            #expect(try await session.send(request).body.collect() == Data(body.utf8))
        }
        #expect(store.usage.entries == 0)
    }

    @Test func `a response is not stored if an inner interceptor adds credentials`() async throws {
        let store = MemoryCacheStore()
        let script = ScriptedSession { _ in .caching("max-age=10") }
        let origin = try #require(URL(string: "https://a.example"))
        for number in 0..<2 {
            let authorization = AuthorizationInterceptor(.bearer(Secret("token-\(number)")), at: origin)
            let session = script.intercepted(by: authorization).cached(in: store)
            _ = try await session.send(try CacheScene.request())
        }
        #expect(store.usage.entries == 0 && script.recorded.count == 2)
    }

    @Test func `a derived identity does not cover credentials that an inner interceptor adds`() async throws {
        let store = MemoryCacheStore()
        let script = ScriptedSession { _ in .caching("max-age=10") }
        let origin = try #require(URL(string: "https://a.example"))
        let session = script.intercepted(by: AuthorizationInterceptor(.bearer(Secret("token-of-a-user")), at: origin))
            .cached(in: store)
        for _ in 0..<2 {
            _ = try await session.send(try CacheScene.request(.get, "/a", ["X-Api-Key": "key-of-the-program"]))
        }
        #expect(store.usage.entries == 0 && script.recorded.count == 2)
    }

    @Test func `a redirected response is not stored`() async throws {
        let other = try #require(URL(string: "https://a.example/b"))
        let session = RedirectedSession(url: other).cached(in: MemoryCacheStore())
        var request = try CacheScene.request()
        let recorder = Trail.Recorder()
        request.options.trail = recorder
        _ = try await session.send(request)
        #expect(recorder.trail.events.map(\.message) == ["not stored: redirected"])
    }

    private struct RedirectedSession: APISession {
        let url: URL

        func send(_ request: APIRequest) async throws -> APIResponse {
            APIResponse(head: ResponseHead(status: 200, headers: ["Cache-Control": "max-age=10"], url: url))
        }
    }

    @Test func `only complete streams are stored, and only by a reader that reads to the end`() async throws {
        let reply = CannedReply.chunks([Data("a".utf8), Data("b".utf8)]).header("Cache-Control", "max-age=10")
        let scene = CacheScene(reply, reply.truncatingBody(after: 1), reply)
        var request = try CacheScene.request()
        (request.options.time, request.options.delivery) = (scene.clock, .streamed)
        var iterator = try await scene.session.send(request).body.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(scene.store.usage.entries == 0)
        let cut = try await scene.session.send(request).body
        await #expect(throws: ServiceError.self) { try await cut.collect() }
        #expect(scene.store.usage.entries == 0)
        #expect(try await scene.session.send(request).body.collect() == Data("ab".utf8))
        #expect(scene.store.usage.entries == 1)
        #expect(try await scene.get().body == "ab")
        #expect(scene.sent == 3)
    }

    @Test func `a response to POST that describes its URL is used for GET (RFC 9110, section 9.3.3)`() async throws {
        let own = CannedReply.caching("max-age=10", "p").header("Content-Location", "/a")
        let scene = CacheScene(own, .caching("max-age=10", "q").header("Content-Location", "/b"), .text("3"))
        _ = try await scene.send(.post)
        #expect(try await scene.get().body == "p")
        _ = try await scene.send(.post)
        #expect(try await scene.get().body == "3")
    }

    @Test func `downloads and event streams neither use nor become stored responses`() async throws {
        let store = MemoryCacheStore()
        let script = ScriptedSession { _ in
            CannedReply.data(Data("data: 1\n\n".utf8)).header("Content-Type", "text/event-stream")
                .header("Cache-Control", "max-age=100").header("ETag", "\"1\"")
        }
        let loader = APILoader(EventAPI(), session: script.cached(in: store))
        let scratch = try ScratchFolder()
        for number in 0..<2 {
            for try await _ in loader.download((), to: scratch.url.appending(path: "\(number)")) {}
            for try await _ in loader.events(()) { break }
        }
        #expect(store.usage.entries == 0 && script.recorded.count == 4)
    }
}
