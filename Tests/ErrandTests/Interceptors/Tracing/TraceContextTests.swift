import Errand
import ErrandTesting
import Testing

/// The examples of W3C Trace Context (https://www.w3.org/TR/trace-context/) and of its test suite
/// (https://github.com/w3c/trace-context/blob/main/test/test.py).
@Suite struct TraceContextTests {
    private static let trace = "12345678901234567890123456789012"
    private static let parent = "1234567890123456"

    struct Valid: Sendable, CustomTestStringConvertible {
        let value: String
        var traceID: String = trace
        var parentID: String = parent
        var flags: String = "01"
        var testDescription: String { value }
    }

    @Test(arguments: [
        // Section 3.2.3, examples of traceparent headers, and section 3.1.
        Valid(
            value: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            traceID: "4bf92f3577b34da6a3ce929d0e0e4736", parentID: "00f067aa0ba902b7"),
        Valid(
            value: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
            traceID: "4bf92f3577b34da6a3ce929d0e0e4736", parentID: "00f067aa0ba902b7", flags: "00"),
        Valid(
            value: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            traceID: "0af7651916cd43dd8448eb211c80319c", parentID: "b7ad6b7169203331"),
        // Section 3.2.2.5, trace-flags: 02 marks a random trace identifier. Other flags are not forwarded.
        Valid(value: "00-\(trace)-\(parent)-02", flags: "02"),
        Valid(value: "00-\(trace)-\(parent)-03", flags: "03"),
        Valid(value: "00-\(trace)-\(parent)-ff", flags: "03"),
        Valid(value: "00-\(trace)-\(parent)-0c", flags: "00"),
        // test_traceparent_version_0xcc: only the fields of version 00 are parsed in a higher version.
        Valid(value: "cc-\(trace)-\(parent)-01"),
        Valid(value: "cc-\(trace)-\(parent)-01-what-the-future-will-be-like"),
        // test_traceparent_ows_handling
        Valid(value: " 00-\(trace)-\(parent)-01"),
        Valid(value: "\t00-\(trace)-\(parent)-01"),
        Valid(value: "00-\(trace)-\(parent)-01 "),
        Valid(value: "00-\(trace)-\(parent)-01\t"),
        Valid(value: "\t 00-\(trace)-\(parent)-01 \t"),
    ])
    func `a valid header is parsed and sent on in version 00`(row: Valid) throws {
        let context = try #require(TraceContext(traceparent: row.value))
        #expect(context.traceID == row.traceID && context.parentID == row.parentID)
        #expect(context.traceparent == "00-\(row.traceID)-\(row.parentID)-\(row.flags)")
        #expect(context.state == nil)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(parent)-0", "00-\(trace)-\(parent)", "é0-\(trace)-\(parent)-01",
        // test_traceparent_duplicated: several headers, joined
        "00-\(trace)-\(parent)-01,00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-01, 00-\(trace)-\(parent)-01",
        // test_traceparent_version_0x00: version 00 has no further fields
        "00-\(trace)-\(parent)-01.", "00-\(trace)-\(parent)-01-what-the-future-will-be-like",
        // test_traceparent_version_0xcc
        "cc-\(trace)-\(parent)-01.what-the-future-will-be-like",
        // test_traceparent_version_0xff
        "ff-\(trace)-\(parent)-01",
        // test_traceparent_version_illegal_characters, too_long, too_short
        ".0-\(trace)-\(parent)-01", "0.-\(trace)-\(parent)-01", "000-\(trace)-\(parent)-01",
        "0000-\(trace)-\(parent)-01", "0-\(trace)-\(parent)-01", "0A-\(trace)-\(parent)-01",
        // test_traceparent_trace_id_*
        "00-00000000000000000000000000000000-\(parent)-01", "00-.2345678901234567890123456789012-\(parent)-01",
        "00-1234567890123456789012345678901.-\(parent)-01", "00-123456789012345678901234567890123-\(parent)-01",
        "00-1234567890123456789012345678901-\(parent)-01", "00-1234567890123456789012345678901A-\(parent)-01",
        // test_traceparent_parent_id_*
        "00-\(trace)-0000000000000000-01", "00-\(trace)-.234567890123456-01", "00-\(trace)-123456789012345.-01",
        "00-\(trace)-12345678901234567-01", "00-\(trace)-123456789012345-01",
        // test_traceparent_trace_flags_*
        "00-\(trace)-\(parent)-.0", "00-\(trace)-\(parent)-0.", "00-\(trace)-\(parent)-001", "00-\(trace)-\(parent)-1",
        "00-\(trace)-\(parent)-+1", "00_\(trace)-\(parent)-01", "00-\(trace)_\(parent)-01", "00-\(trace)-\(parent)_01",
    ])
    func `an invalid header is ignored`(value: String) {
        #expect(TraceContext(traceparent: value, tracestate: "congo=t61rcWkgMzE") == nil)
    }

    @Test func `a missing header is ignored`() {
        #expect(TraceContext(traceparent: nil, tracestate: "congo=t61rcWkgMzE") == nil)
    }

    /// A received `tracestate` and the forwarded value.
    struct State: Sendable, CustomTestStringConvertible {
        let received: String
        let sent: String?
        var testDescription: String { String(received.prefix(60)) }
    }

    @Test(arguments: [
        // Section 3.3.4, examples of tracestate headers
        State(received: "rojo=00f067aa0ba902b7", sent: "rojo=00f067aa0ba902b7"),
        State(received: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", sent: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
        // test_tracestate_empty_header, ows_handling, all_allowed_characters
        State(received: "", sent: nil), State(received: " \t,,", sent: nil),
        State(received: "foo=1 \t , \t bar=2, \t baz=3", sent: "foo=1,bar=2,baz=3"),
        State(received: "foo=1,,bar=2,", sent: "foo=1,bar=2"), State(received: "foo= 1", sent: "foo= 1"),
        State(received: "a0_-*/@=!\"#$%&'()*+-./:;<>?@[\\]^_`{|}~", sent: "a0_-*/@=!\"#$%&'()*+-./:;<>?@[\\]^_`{|}~"),
        // test_tracestate_key_illegal_characters, value_illegal_characters
        State(received: "foo =1", sent: nil), State(received: "FOO=1", sent: nil),
        State(received: "foo.bar=1", sent: nil),
        State(received: "_foo=1", sent: nil), State(received: "foo=bar=baz", sent: nil),
        State(received: "foo=,bar=3", sent: nil), State(received: "foo", sent: nil),
        State(received: "foo=\u{7F}", sent: nil), State(received: "foo=é", sent: nil),
        // test_tracestate_member_count_limit, key_length_limit, value length (section 3.3.2)
        State(received: list(32), sent: list(32)), State(received: list(33), sent: nil),
        State(received: key(256), sent: key(256)), State(received: key(257), sent: nil),
        State(received: value(256), sent: value(256)), State(received: value(257), sent: nil),
        State(received: String(repeating: ",", count: 40_000) + "foo=1", sent: nil),
    ])
    func `a valid tracestate is kept, an invalid one dropped`(row: State) throws {
        let context = try #require(
            TraceContext(traceparent: "00-\(Self.trace)-\(Self.parent)-01", tracestate: row.received))
        #expect(context.state == row.sent)
        #expect(context.child().state == row.sent)
    }

    private static func list(_ count: Int) -> String { (0..<count).map { "bar\($0)=\($0)" }.joined(separator: ",") }
    private static func key(_ count: Int) -> String { String(repeating: "z", count: count) + "=1" }
    private static func value(_ count: Int) -> String { "foo=" + String(repeating: "t", count: count) }

    @Test func `a child has the trace, the flags and another parent`() throws {
        let context = try #require(TraceContext(traceparent: "00-\(Self.trace)-\(Self.parent)-02"))
        let child = context.child()
        #expect(child.traceID == Self.trace && child.parentID != Self.parent)
        #expect(!child.isSampled && child.isRandom)
        #expect(TraceContext(traceparent: child.traceparent) == child)
    }

    @Test(arguments: [(true, "03"), (false, "02")])
    func `a new trace is random and has the sampled flag`(isSampled: Bool, flags: String) throws {
        let context = TraceContext(isSampled: isSampled)
        #expect(context.traceparent.hasSuffix("-\(flags)") && "\(context)" == context.traceparent)
        #expect(TraceContext(traceparent: context.traceparent) == context)
        #expect(context.traceID != TraceContext(isSampled: isSampled).traceID)
    }

    @Test func `an identifier is never all zero`() {
        let context = TraceContext(isSampled: false, random: FixedRandom(fraction: 0))
        #expect(context.traceparent == "00-00000000000000000000000000000001-0000000000000001-02")
    }
}
