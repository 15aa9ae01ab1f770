#if os(Linux)
    import CErrandCurl
    import Testing

    /// The hosts that `no_proxy` and the exceptions of a session's proxy name.
    @Suite struct ProxyExceptionTests {
        struct Row: Sendable, CustomTestStringConvertible {
            let exceptions: String
            let excepted: [String]
            let others: [String]

            var testDescription: String { exceptions }
        }

        @Test(arguments: [
            Row(exceptions: "", excepted: [], others: ["a.test", "127.0.0.1", "::1", ""]),
            Row(exceptions: "*", excepted: ["a.test", "127.0.0.1", "::1", ""], others: []),
            Row(exceptions: "*,b.test", excepted: ["b.test"], others: ["a.test"]),
            Row(
                exceptions: "near.test",
                excepted: ["near.test", "NEAR.Test", "a.near.test", "near.test.", ".near.test"],
                others: ["notnear.test", "near.test.org", "test", "ear.test", ""]),
            Row(exceptions: ".near.test", excepted: ["near.test", "a.near.test"], others: ["notnear.test"]),
            Row(exceptions: "near.test.", excepted: ["near.test", "near.test."], others: ["near.test.."]),
            Row(exceptions: "a, b\t,,c  d", excepted: ["a", "b", "c", "d", "x.d"], others: ["ab", "e"]),
            Row(exceptions: ".,..,,", excepted: [], others: ["a.test", "", "."]),
            Row(
                exceptions: "127.0.0.1", excepted: ["127.0.0.1", "127.1", "0x7f000001"],
                others: ["127.0.0.2", "127.0.0.1.test"]),
            Row(exceptions: "0.0.1", excepted: [], others: ["127.0.0.1"]),
            Row(
                exceptions: "10.0.0.0/8,192.168.64.0/18", excepted: ["10.255.0.1", "192.168.127.9"],
                others: ["11.0.0.1", "192.168.128.1", "192.168.63.1", "::ffff:10.0.0.1", "10.test"]),
            Row(exceptions: "192.0.2.1/32", excepted: ["192.0.2.1"], others: ["192.0.2.0"]),
            Row(exceptions: "0.0.0.0/0", excepted: ["192.0.2.1"], others: ["::1", "a.test"]),
            Row(exceptions: "192.0.2.0/33,192.0.2.0/,192.0.2.0/-1,192.0.2.0/8x", excepted: [], others: ["192.0.2.0"]),
            Row(exceptions: "::1", excepted: ["::1", "0:0:0:0:0:0:0:1"], others: ["::2", "127.0.0.1"]),
            Row(exceptions: "2001:db8::/33", excepted: ["2001:db8:7fff::1"], others: ["2001:db8:8000::1"]),
            Row(exceptions: String(repeating: "1", count: 100), excepted: [], others: ["127.0.0.1", "::1"]),
        ])
        func `a host is excepted by name, domain, address or block`(row: Row) {
            for host in row.excepted { #expect(errand_is_excepted(row.exceptions, host), "\(host)") }
            for host in row.others { #expect(!errand_is_excepted(row.exceptions, host), "\(host)") }
        }
    }
#endif
