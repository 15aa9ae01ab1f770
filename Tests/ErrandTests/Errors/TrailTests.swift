import Errand
import ErrandTesting
import Foundation
import Testing

@Suite struct TrailTests {
    @Test func `a trail has a text and a JSON form`() throws {
        let clock = InstantClock()
        let recorder = Trail.Recorder(on: clock)
        recorder.note("the token is fresh", from: .authorization)
        clock.advance(by: .milliseconds(12))
        var metrics = TransportMetrics()
        (metrics.firstByte, metrics.bytesReceived, metrics.protocolName) = (.milliseconds(7), 99, "h2")
        let failed = Trail.Attempt(status: nil, failure: .timeout, elapsed: .milliseconds(12))
        recorder.record(failed, metrics: nil, from: .retry, "attempt 1; retry in 3.0 ms: timeout")
        recorder.record(Trail.Attempt(status: 200, failure: nil, elapsed: .zero), metrics: metrics, from: .retry)
        let trail = recorder.trail
        #expect(
            "\(trail)" == """
                 0.0 ms  authorization  the token is fresh
                12.0 ms  retry          timeout in 12.0 ms; attempt 1; retry in 3.0 ms: timeout
                12.0 ms  retry          200 OK in 0.0 ms; first byte 7.0, 99 bytes, h2
                """)
        #expect(trail.attempts.map(\.status) == [nil, 200])
        let objects = try JSONSerialization.jsonObject(with: Data(trail.json.utf8)) as? [[String: Any]]
        #expect(objects?.map { $0["at"] as? Double } == [0, 12, 12])
        #expect(objects?.map { $0["status"] as? Int } == [nil, nil, 200])
        #expect(objects?.dropFirst().first?["failure"] as? String == "timeout")
    }

    @Test func `a trail is limited in length and redacted`() {
        var redaction = Redaction()
        redaction.hide("tenant")
        let recorder = Trail.Recorder(on: InstantClock(), redaction: redaction)
        for _ in 0..<1_003 {
            recorder.note("asked /a?tenant=s3cr3t&page=2\r\nfor\u{1B}[2J", from: Trail.Source("my\nlayer"))
        }
        let trail = recorder.trail
        #expect(trail.events.count == 1_000 && trail.dropped == 3 && "\(trail)".hasSuffix("\nand 3 more"))
        var dumped = ""
        dump(trail, to: &dumped)
        for text in ["\(trail)", dumped, trail.json] { #expect(!text.contains("s3cr3t") && !text.contains("\u{1B}")) }
        #expect("\(trail)".split(separator: "\n").count == 1_001)
    }

    @Test(arguments: [
        (Duration.zero, "0.0"), (.microseconds(49), "0.0"), (.microseconds(50), "0.1"), (.seconds(2), "2000.0"),
        (.milliseconds(-1_234), "-1234.0"), (.microseconds(-400), "-0.4"),
    ])
    func `durations print as milliseconds with one decimal`(duration: Duration, text: String) {
        #expect(duration.milliseconds == text)
    }

    @Test func `extreme durations can be printed and used as deadlines`() {
        for seconds in [Int64.max, .min] {
            #expect(!Duration.seconds(seconds).milliseconds.isEmpty)
            #expect(Deadline.after(.seconds(seconds)).hasPassed == (seconds < 0))
        }
    }
}
