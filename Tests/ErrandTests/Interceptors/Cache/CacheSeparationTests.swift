import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Responses that must not be used for another request, although its URL is the same.
@Suite(.timeLimit(.minutes(1))) struct CacheSeparationTests {
    private enum TenantKey: RequestOptionKey { static let defaultValue: String? = nil }

    @Test func `a request with a custom option does not use the cache`() async throws {
        let scene = CacheScene(.caching("max-age=10"), .caching("max-age=10", "2"), .caching("max-age=10", "3"))
        for (tenant, body) in [("north", "1"), ("south", "2"), (nil, "3"), (nil, "3")] {
            #expect(try await scene.send { if let tenant { $0[TenantKey.self] = tenant } }.body == body)
        }
    }

    /// Has credentials of an unknown account.
    private struct AnonymousAuthorizer: Authorizer {
        let token = Credentials.bearer(Secret("one"))
        var identity: Credentials.Identity? { nil }

        func credentials(for request: APIRequest) async throws -> Credentials { token }
    }

    @Test func `responses for an unknown account are not stored`() async throws {
        let store = MemoryCacheStore()
        let script = ScriptedSession { _ in .caching("max-age=10") }
        let origin = try #require(URL(string: "https://a.example"))
        let session = StandardSession.standard(
            authorization: AuthorizationInterceptor(AnonymousAuthorizer(), at: origin), cache: CacheInterceptor(store),
            over: script)
        for _ in 0..<2 { _ = try await session.send(try CacheScene.request()) }
        #expect(store.usage.entries == 0 && script.recorded.count == 2)
    }

    @Test func `options of the library do not prevent the use of the cache`() async throws {
        let scene = CacheScene(.caching("max-age=10"))
        for _ in 0..<2 {
            let result = try await scene.send { options in
                options.redirects.mode = .manual
                options.priority = 1
                options.cacheMode = .standard
            }
            #expect(result.body == "1")
        }
        #expect(scene.sent == 1)
    }

    @Test func `a response that varies by a missing cookie is not stored`() async throws {
        let scene = CacheScene(.caching("max-age=10").header("Vary", "Cookie"), .text("2"))
        _ = try await scene.get()
        #expect(try await scene.get().body == "2")
    }

    @Test func `a stored redirect is used only by requests that do not follow it`() async throws {
        let moved = CannedReply.caching("max-age=10", "moved", status: 301).header("Location", "/b")
        let scene = CacheScene(moved, .text("2"))
        for _ in 0..<2 { #expect(try await scene.send { $0.redirects.mode = .manual }.status == 301) }
        #expect(scene.sent == 1)
        #expect(try await scene.get().body == "2")
    }

    /// Responds with the URL of a redirect from the second request on.
    private struct MovedSession: APISession {
        let inner: ScriptedSession
        let url: URL

        func send(_ request: APIRequest) async throws -> APIResponse {
            var response = try await inner.send(request)
            if inner.recorded.count > 1 {
                response.head = ResponseHead(
                    status: response.head.status, headers: response.head.headers, url: url)
            }
            return response
        }
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `the target of a redirect does not confirm a stored response`(method: HTTPMethod) async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let script = ScriptedSession([
            .caching("max-age=1").header("Last-Modified", date),
            method == .get ? .status(304) : .status(200).header("Cache-Control", "max-age=100"), .text("3"),
        ])
        let other = try #require(URL(string: "https://a.example/login"))
        let store = MemoryCacheStore()
        let session = MovedSession(inner: script, url: other).cached(in: store)
        let clock = ManualClock()
        func send(_ method: HTTPMethod) async throws -> Data {
            var request = try CacheScene.request(method)
            request.options.time = clock
            return try await session.send(request).body.collect()
        }
        #expect(try await send(.get) == Data("1".utf8))
        clock.advance(by: .seconds(2))
        if method == .head { _ = try await send(.head) }
        #expect(try await send(.get) == Data("3".utf8))
    }

    @Test func `HEAD with another validator removes the stored response`() async throws {
        let replies: [(CannedReply, CannedReply)] = [
            (.caching("max-age=1"), .status(200).header("ETag", "\"2\"")),
            (.caching("max-age=1").header("ETag", "\"1\""), .status(200).header("ETag", "\"2\"")),
            (.caching("max-age=1"), .status(200).header("Content-Length", "2")),
            (.caching("max-age=1", status: 404), .status(200).header("Cache-Control", "max-age=60")),
        ]
        for (stored, head) in replies {
            let scene = CacheScene(stored, head, .text("3"))
            _ = try await scene.get()
            scene.clock.advance(by: .seconds(2))
            _ = try await scene.send(.head)
            #expect(scene.store.usage.entries == 0)
            #expect(try await scene.get("/a", ["Cache-Control": "max-stale"]).body == "3")
        }
    }

    @Test func `a late validation does not replace a newer response`() async throws {
        let gate = Gate()
        let script = ScriptedSession { request in
            if request.headers["If-None-Match"] != nil {
                await gate.wait()
                return .status(304)
            }
            let isReload = request.headers["Pragma"] != nil
            return .caching("max-age=5", isReload ? "2" : "1").header("ETag", isReload ? "\"2\"" : "\"1\"")
        }
        let session = script.cached(in: MemoryCacheStore())
        let clock = ManualClock()
        func get(_ mode: CacheMode = .standard) async throws -> String {
            var request = try CacheScene.request()
            (request.options.time, request.options.cacheMode) = (clock, mode)
            return String(decoding: try await session.send(request).body.collect(), as: UTF8.self)
        }
        #expect(try await get() == "1")
        clock.advance(by: .seconds(6))
        async let validated = get()
        try await Soak.wait { script.recorded.count == 2 }
        #expect(try await get(.reload) == "2")
        gate.open()
        #expect(try await validated == "1")
        #expect(try await get() == "2")
    }

    @Test func `only-if-cached sends nothing in any case`() async throws {
        let scene = CacheScene(.caching("max-age=10", "0123456789"))
        _ = try await scene.get()
        let requests: [(HTTPMethod, String, [String: String])] = [
            (.get, "/a", ["Range": "bytes=20-"]), (.get, "/b", [:]), (.head, "/b", [:]),
            (.get, "/a", ["If-None-Match": "\"1\""]),
        ]
        for (method, path, headers) in requests {
            let error = await #expect(throws: ServiceError.self) {
                try await scene.send(method, path, headers) { $0.cacheMode = .onlyIfCached }
            }
            #expect(error?.code == .notCached)
        }
        #expect(scene.sent == 1)
        #expect(try await scene.send(.head) { $0.cacheMode = .onlyIfCached }.status == 200)
    }

    @Test func `a failed write removes the stored responses, because the server may have processed it`() async throws {
        let scene = CacheScene(.caching("max-age=10"), .failure(ServiceError(.connectionLost, "gone")), .text("3"))
        _ = try await scene.get()
        _ = try? await scene.send(.put)
        #expect(try await scene.get().body == "3")
    }
}
