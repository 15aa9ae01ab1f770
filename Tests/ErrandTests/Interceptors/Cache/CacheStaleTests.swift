import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Stale responses (RFC 9111, section 4.2.4, and RFC 5861).
@Suite(.timeLimit(.minutes(1))) struct CacheStaleTests {
    @Test func `stale-while-revalidate uses the stale response and validates it (RFC 5861, section 3)`() async throws {
        let control = "max-age=10, stale-while-revalidate=5"
        let scene = CacheScene(
            .caching(control).header("ETag", "\"1\""), .caching(control, "2"), .caching(control, "3"))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(15))
        let stale = try await scene.get()
        #expect(stale.body == "1" && stale.age == "15")
        #expect(stale.notes.prefix(2) == ["stale for 5 s, stale-while-revalidate", "validated in the background"])
        try await Soak.wait { scene.cache.refreshing == 0 && scene.sent == 2 }
        #expect(scene.lastSent["If-None-Match"] == "\"1\"")
        #expect(try await scene.get().body == "2")
        scene.clock.advance(by: .seconds(16))
        #expect(try await scene.get().body == "3")
    }

    @Test func `one validation for each key runs in the background, and at most eight in all`() async throws {
        let gate = Gate()
        let control = "max-age=1, stale-while-revalidate=100"
        let script = ScriptedSession { request in
            if request.headers["If-None-Match"] != nil { await gate.wait() }
            return .caching(control).header("ETag", "\"1\"")
        }
        let cache = CacheInterceptor(MemoryCacheStore())
        let session = script.intercepted(by: cache)
        let clock = ManualClock()
        func load() async throws {
            for number in 0..<12 {
                var request = try CacheScene.request(.get, "/\(number)")
                request.options.time = clock
                _ = try await session.send(request)
            }
        }
        try await load()
        clock.advance(by: .seconds(2))
        for _ in 0..<3 { try await load() }
        #expect(cache.refreshing == CacheInterceptor.backgroundLimit)
        try await Soak.wait { script.recorded.count == 20 }
        gate.open()
        try await Soak.wait { cache.refreshing == 0 }
    }

    @Test func `a background validation continues after its caller, and errors keep the response`() async throws {
        let control = "max-age=1, stale-while-revalidate=100"
        let gate = Gate()
        let script = ScriptedSession { request in
            guard request.headers["If-None-Match"] != nil else { return .caching(control).header("ETag", "\"1\"") }
            await gate.wait()
            return .failure(ServiceError(.connection, "down"))
        }
        let cache = CacheInterceptor(MemoryCacheStore())
        let session = script.intercepted(by: cache)
        var request = try CacheScene.request()
        let clock = ManualClock()
        request.options.time = clock
        _ = try await session.send(request)
        clock.advance(by: .seconds(2))
        let sent = request
        let caller = Task { try await session.send(sent).body.collect() }
        #expect(try await caller.value == Data("1".utf8))
        caller.cancel()
        try await Soak.wait { script.recorded.count == 2 }
        gate.open()
        try await Soak.wait { cache.refreshing == 0 }
        #expect(try await session.send(request).body.collect() == Data("1".utf8))
    }

    private static let failures: [CannedReply] =
        [500, 502, 503, 504].map { CannedReply.text("error", status: $0) }
        + [.failure(ServiceError(.connectionLost, "gone")), .failure(ServiceError(.timeout, "late"))]

    @Test(arguments: failures.indices)
    func `stale-if-error uses the stale response instead of an error (RFC 5861, section 4)`(index: Int) async throws {
        let reply = Self.failures[index]
        for (control, request, isUsed) in [
            ("max-age=1, stale-if-error=10", "", true), ("max-age=1", "stale-if-error=10", true),
            ("max-age=1", "", false),
            ("max-age=1, stale-if-error=2", "", false), ("max-age=1, stale-if-error=10, must-revalidate", "", false),
            ("no-cache, stale-if-error=10", "", false),
        ] {
            let scene = CacheScene(.caching(control).header("ETag", "\"1\""), reply)
            _ = try await scene.get()
            scene.clock.advance(by: .seconds(5))
            let result = try? await scene.get("/a", request.isEmpty ? [:] : ["Cache-Control": request])
            #expect((result?.body == "1") == isUsed, "\(control) \(request)")
            #expect(scene.cache.statistics.replacedErrors == (isUsed ? 1 : 0))
        }
    }

    @Test func `an error is not replaced if the request requires a validation or the error says so`() async throws {
        let cases: [(CannedReply, [String: String], CacheMode?)] = [
            (.text("error", status: 503), ["Cache-Control": "no-cache"], nil),
            (.text("error", status: 503), [:], .noCache),
            (.failure(ServiceError(.authorization, "revoked")), [:], nil),
            (.failure(ServiceError(.certificate, "untrusted")), [:], nil),
        ]
        for (reply, headers, mode) in cases {
            let scene = CacheScene(.caching("max-age=1, stale-if-error=10").header("ETag", "\"1\""), reply)
            _ = try await scene.get()
            scene.clock.advance(by: .seconds(2))
            let result = try? await scene.send(.get, "/a", headers) { $0.cacheMode = mode }
            #expect(result?.body != "1")
        }
    }

    @Test(arguments: [401, 403, 429]) func `a refused validation keeps the stored response`(status: Int) async throws {
        let scene = CacheScene(
            .caching("max-age=1").header("ETag", "\"1\""), .text("later", status: status), .status(304))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.get().status == status)
        #expect(try await scene.get().body == "1")
    }

    @Test func `a client error is not replaced`() async throws {
        let scene = CacheScene(.caching("max-age=1, stale-if-error=10"), .text("gone", status: 404))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(2))
        #expect(try await scene.get().status == 404)
    }

    @Test func `stale-if-error does not replace a cancellation`() async throws {
        let script = ScriptedSession([.caching("max-age=1, stale-if-error=100"), .stall])
        let session = script.cached(in: MemoryCacheStore())
        var request = try CacheScene.request()
        let clock = ManualClock()
        request.options.time = clock
        _ = try await session.send(request)
        clock.advance(by: .seconds(2))
        let sent = request
        let call = Task { try await session.send(sent) }
        try await Soak.wait { script.recorded.count == 2 }
        call.cancel()
        await #expect(throws: (any Error).self) { try await call.value }
    }
}
