import Errand
import ErrandTesting
import Foundation
import Testing

/// Request directives (RFC 9111, section 5.2.1) and cache modes (Fetch standard).
@Suite(.timeLimit(.minutes(1))) struct CacheRequestTests {
    /// The control of the response, its age, the control of the request, and whether the response is used.
    private static let directives: [(String, Int, String, Bool)] = [
        ("max-age=10", 5, "max-age=4", false), ("max-age=10", 5, "max-age=6", true),
        ("max-age=10", 0, "max-age=0", false),
        ("max-age=10", 5, "min-fresh=6", false), ("max-age=10", 5, "min-fresh=5", true),
        ("max-age=10", 15, "max-stale=5", true), ("max-age=10", 15, "max-stale=4", false),
        ("max-age=10", 15, "max-stale", true), ("max-age=10, must-revalidate", 15, "max-stale", false),
        ("no-cache", 0, "max-stale", false), ("max-age=10", 5, "no-cache", false),
        ("max-age=10, immutable", 5, "no-cache", false),
        ("max-age=10", 5, "no-store", true), ("max-age=10", 15, "max-stale=10, max-age=5", false),
    ]

    @Test(arguments: directives.indices) func `a request limits the age of a response (5.2.1)`(index: Int) async throws
    {
        let (control, age, request, isUsed) = Self.directives[index]
        let scene = CacheScene(.caching(control).header("ETag", "\"1\""), .text("2"))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(age))
        let body = try await scene.get("/a", ["Cache-Control": request]).body
        #expect(body == (isUsed ? "1" : "2"), "\(control), \(request)")
        #expect(isUsed || scene.lastSent["Cache-Control"] == request)
    }

    @Test func `a response to a request with no-store is not stored (5.2.1.5)`() async throws {
        let scene = CacheScene(.caching("max-age=10"), .text("2"))
        let notes = try await scene.get("/a", ["Cache-Control": "no-store"]).notes
        #expect(notes == ["not stored: the request has no-store"])
        #expect(try await scene.get().body == "2")
    }

    @Test func `only-if-cached fails without a fresh response (5.2.1.7)`() async throws {
        let scene = CacheScene(.caching("max-age=10"))
        let headers = ["Cache-Control": "only-if-cached"]
        let missing = await #expect(throws: ServiceError.self) { try await scene.get("/a", headers) }
        #expect(missing?.code == .notCached)
        _ = try await scene.get()
        #expect(try await scene.get("/a", headers).body == "1")
        scene.clock.advance(by: .seconds(10))
        await #expect(throws: ServiceError.self) { try await scene.get("/a", headers) }
        #expect(scene.sent == 1)
    }

    @Test func `only-if-cached does not validate a stale response in the background (5.2.1.7)`() async throws {
        let scene = CacheScene(.caching("max-age=10, stale-while-revalidate=100"))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(15))
        let stale = try await scene.get("/a", ["Cache-Control": "only-if-cached"])
        #expect(stale.body == "1" && stale.notes == ["stale for 5 s, stale-while-revalidate"])
        #expect(scene.cache.refreshing == 0 && scene.sent == 1)
    }

    @Test func `Pragma of a request counts as no-cache (5.4)`() async throws {
        let scene = CacheScene(.caching("max-age=10"), .text("2"))
        _ = try await scene.get()
        #expect(try await scene.get("/a", ["Pragma": "no-cache"]).body == "2")
    }

    /// The mode, whether the stored response is fresh, and the expected body and header of the request that was sent.
    private static let modes: [(CacheMode, Bool, String, String?)] = [
        (.standard, true, "1", nil), (.standard, false, "2", nil), (.noStore, true, "2", "no-cache"),
        (.reload, true, "2", "no-cache"), (.noCache, true, "2", "max-age=0"), (.forceCache, true, "1", nil),
        (.forceCache, false, "1", nil), (.onlyIfCached, true, "1", nil), (.onlyIfCached, false, "1", nil),
    ]

    @Test(arguments: modes.indices) func `each mode follows the Fetch standard`(index: Int) async throws {
        let (mode, isFresh, body, control) = Self.modes[index]
        let scene = CacheScene(.caching("max-age=10"), .caching("max-age=10", "2"), .text("3"))
        _ = try await scene.get()
        if !isFresh { scene.clock.advance(by: .seconds(11)) }
        #expect(try await scene.send { $0.cacheMode = mode }.body == body)
        if body == "2" { #expect(scene.lastSent["Cache-Control"] == control) }
        // Only `no-store` leaves the stored response as it was.
        if mode == .noStore || body == "2" {
            #expect(try await scene.get().body == (mode == .noStore ? "1" : "2"))
        }
    }

    @Test func `an immutable response is not validated before it is stale (RFC 8246)`() async throws {
        let scene = CacheScene(.caching("max-age=10, immutable"), .text("2"))
        _ = try await scene.get()
        #expect(try await scene.send { $0.cacheMode = .noCache }.body == "1")
        scene.clock.advance(by: .seconds(10))
        #expect(try await scene.send { $0.cacheMode = .noCache }.body == "2")
    }

    @Test func `only-if-cached without a stored response is an error`() async throws {
        let scene = CacheScene()
        let error = await #expect(throws: ServiceError.self) { try await scene.send { $0.cacheMode = .onlyIfCached } }
        #expect(error?.code == .notCached && scene.sent == 0)
    }

    @Test(arguments: [
        (URLRequest.CachePolicy.useProtocolCachePolicy, "1"), (.reloadIgnoringLocalCacheData, "2"),
        (.returnCacheDataElseLoad, "1"), (.reloadRevalidatingCacheData, "2"), (.returnCacheDataDontLoad, "1"),
    ]) func `the policy of a URLRequest sets the mode`(policy: URLRequest.CachePolicy, body: String) async throws {
        let scene = CacheScene(.caching("max-age=10"), .text("2"))
        _ = try await scene.get()
        #expect(try await scene.send { $0.cachePolicy = policy }.body == body)
    }

    @Test(arguments: ["If-None-Match", "If-Modified-Since", "If-Match", "If-Range"])
    func `a request with its own condition passes through`(name: String) async throws {
        let scene = CacheScene(.caching("max-age=10"), .status(304), .text("3"))
        _ = try await scene.get()
        #expect(try await scene.get("/a", [name: "\"1\""]).status == 304)
        #expect(try await scene.get().body == "1")
    }

    @Test func `a part of the body comes from a complete response (RFC 9110, section 14.2)`() async throws {
        let scene = CacheScene(.caching("max-age=10", "0123456789"), .text("x", status: 206), .text("y", status: 206))
        _ = try await scene.get()
        for (range, body, header) in [
            ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=8-", "89", "bytes 8-9/10"),
            ("bytes=-3", "789", "bytes 7-9/10"),
            ("bytes=8-99", "89", "bytes 8-9/10"),
        ] {
            let part = try await scene.get("/a", ["Range": range])
            #expect(part.body == body && part.status == 206 && part.header("Content-Range") == header)
        }
        for range in ["bytes=10-", "bytes=0-1,4-5"] {
            #expect(try await scene.get("/a", ["Range": range]).status == 206)
        }
        #expect(scene.sent == 3)
        #expect(try await scene.get().body == "0123456789")
    }

    @Test func `a part of a compressed body is requested`() async throws {
        let scene = CacheScene(
            .caching("max-age=10", "0123456789").header("Content-Encoding", "gzip"), .text("x", status: 206))
        _ = try await scene.get()
        #expect(try await scene.get("/a", ["Range": "bytes=0-1"]).body == "x")
    }
}
