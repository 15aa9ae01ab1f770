import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import Testing

/// Freshness (RFC 9111, section 4.2).
@Suite(.timeLimit(.minutes(1))) struct CacheFreshnessTests {
    private func date(_ scene: CacheScene, _ seconds: Int64) -> String {
        HTTPDate.text(secondsSince1970: Int64(scene.clock.date.timeIntervalSince1970) + seconds)
    }

    @Test func `a fresh response is used with its age, and a stale one is requested again (4.2.3 and 5.1)`()
        async throws
    {
        let scene = CacheScene(.caching("max-age=10", "a"), .caching("max-age=10", "b"))
        #expect(try await scene.get().body == "a")
        scene.clock.advance(by: .seconds(9))
        let fresh = try await scene.get()
        #expect(fresh.body == "a" && fresh.age == "9" && fresh.notes == ["fresh, 1 s left"])
        scene.clock.advance(by: .seconds(1))
        let stale = try await scene.get()
        #expect(stale.body == "b" && stale.age == nil && scene.sent == 2)
        #expect(stale.notes == ["stale for 0 s: status 200"])
    }

    @Test func `max-age overrides Expires, which counts from Date (4.2.1 and 5.3)`() async throws {
        let scene = CacheScene([])
        let replies = [
            CannedReply.text("1").header("Expires", date(scene, 10)).header("Date", date(scene, 0)),
            CannedReply.text("1").header("Expires", date(scene, -10)).header("Cache-Control", "max-age=10"),
            CannedReply.text("1").header("Expires", date(scene, 110)).header("Date", date(scene, 100)),
        ]
        for reply in replies {
            let scene = CacheScene(reply, .text("2"))
            _ = try await scene.get()
            scene.clock.advance(by: .seconds(9))
            #expect(try await scene.get().body == "1")
            scene.clock.advance(by: .seconds(1))
            #expect(try await scene.get().body == "2")
        }
    }

    @Test func `the age includes the Age header and the delay of the response (4.2.3)`() async throws {
        let scene = CacheScene(.caching("max-age=10").header("Age", "5").delayed(by: .seconds(3)), .text("2"))
        async let first = scene.get()
        try await scene.clock.advance(by: .seconds(3), sleeping: 1)
        _ = try await first
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.get().age == "9")
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.get().body == "2")
    }

    @Test func `the heuristic lifetime is a tenth of the time since Last-Modified (4.2.2)`() async throws {
        let scene = CacheScene([])
        let changed = date(scene, -100)
        for (status, seconds, body) in [(200, 9, "1"), (200, 10, "2"), (404, 9, "1"), (500, 0, "2")] {
            let reply = CannedReply.text("1", status: status).header("Last-Modified", changed)
                .header("Date", date(scene, 0))
            let scene = CacheScene(reply, .text("2"))
            _ = try await scene.get()
            scene.clock.advance(by: .seconds(seconds))
            #expect(try await scene.get().body == body, "\(status) \(seconds)")
        }
    }

    @Test func `a heuristic lifetime is at most one day`() async throws {
        let scene = CacheScene([])
        let reply = CannedReply.text("1").header("Last-Modified", date(scene, -100_000_000))
        let year = CacheScene(reply, .text("2"))
        _ = try await year.get()
        year.clock.advance(by: .seconds(86_399))
        #expect(try await year.get().body == "1")
        year.clock.advance(by: .seconds(1))
        #expect(try await year.get().body == "2")
    }

    @Test func `Pragma counts only without Cache-Control (5.4)`() async throws {
        let scene = CacheScene([])
        let old = CannedReply.text("1").header("Last-Modified", date(scene, -100)).header("Pragma", "no-cache")
        for (reply, body) in [(old, "2"), (.caching("max-age=10").header("Pragma", "no-cache"), "1")] {
            let scene = CacheScene(reply, .text("2"))
            _ = try await scene.get()
            #expect(try await scene.get().body == body)
        }
    }

    @Test func `a response is validated after the clock was set back`() {
        let now = Date(timeIntervalSince1970: 1_000)
        let url = URL(filePath: "/")
        let head = ResponseHead(status: 200, headers: ["Cache-Control": "max-age=100"], url: url)
        let entry = CacheEntry(head: head, requestDate: now, responseDate: now, selection: VarySelection())
        #expect(entry.age(at: now - 3_600) == nil)
        #expect(entry.age(at: now - 0.5) == 0)
    }

    @Test(arguments: [
        ("thu, 18 aug 2050 02:01:18 gmt", true), ("THU, 18 AUG 2050 02:01:18 GMT", true),
        ("Thursday, 18-Aug-50 02:01:18 GMT", true), ("Thu Aug  8 02:01:18 2050", true), ("0", false), ("", false),
        ("Thu, 18  Aug 2050 02:01:18 GMT", false), ("Thu, 18 Aug 2050 02:01:18 UTC", false),
        ("Thu, 18 Aug 50 02:01:18 GMT", false), ("Thu, 18 Aug 2050 2:01:18 GMT", false),
    ]) func `an invalid Expires is in the past, and its case is ignored (4.2 and 5.3)`(text: String, isFresh: Bool)
        async throws
    {
        let scene = CacheScene(.text("1").header("Expires", text).header("ETag", "\"1\""), .text("2"))
        _ = try await scene.get()
        #expect(try await scene.get().body == (isFresh ? "1" : "2"))
    }

    @Test(arguments: [
        ("max-age=10", 10.0), ("MAX-AGE=10", 10), ("max-age=\"10\"", 10), ("a=\"max-age=99, b\", max-age=10", 10),
        ("max-age=10, max-age=20", 10), ("max-age=99999999999", 2_147_483_648), ("max-age=007", 7),
        ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age='10'", 0), ("max-age", 0), ("max-age=", 0), ("a=\"\\\"", nil),
        ("s-maxage=10", nil), (",,, ,max-age=1,,", 1),
    ]) func `the lifetime of Cache-Control is parsed (1.2.2, 4.2.1 and 5.2)`(text: String, seconds: Double?) throws {
        let now = Date(timeIntervalSince1970: 0)
        let head = ResponseHead(status: 200, headers: ["Cache-Control": text], url: URL(filePath: "/"))
        let entry = CacheEntry(head: head, requestDate: now, responseDate: now, selection: VarySelection())
        #expect(entry.lifetime == seconds ?? 0)
    }
}
