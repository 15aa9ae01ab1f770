#if os(Linux)
    import Errand
    import Testing

    /// The error codes for libcurl's errors, from the numbers and messages of its versions.
    @Suite struct CurlFailureTests {
        struct Row: Sendable, CustomTestStringConvertible {
            let cause: String
            /// The versions that use the message or the numbers.
            let versions: String
            let failure: CurlFailure
            let kind: ServiceError.Code
            var testDescription: String { "\(cause), \(versions): \(failure.code) \(failure.message)" }

            init(
                _ cause: String, _ versions: String, _ code: Int, _ message: String, verify: Int = 0,
                connected: Bool = true, _ kind: ServiceError.Code
            ) {
                self.cause = cause
                self.versions = versions
                failure = CurlFailure(
                    code: code, message: message, verifyResult: verify, wasConnected: connected)
                self.kind = kind
            }
        }

        static let certificates: [Row] = [
            Row(
                "another host", "7.76.0 to 8.6.0", 60,
                "SSL: no alternative certificate subject name matches target host name 'localhost'", verify: 1,
                connected: false, .certificateHost),
            Row(
                "another host", "8.7.1 and later", 60,
                "SSL: no alternative certificate subject name matches target hostname 'localhost'", verify: 1,
                connected: false, .certificateHost),
            Row(
                "another address", "8.7.1 and later", 60,
                "SSL: no alternative certificate subject name matches target ipv4 address '127.0.0.1'", verify: 1,
                connected: false, .certificateHost),
            Row(
                "another common name", "8.7.1 and later", 60,
                "SSL: certificate subject name 'elsewhere' does not match target hostname 'localhost'", verify: 1,
                connected: false, .certificateHost),
            Row(
                "an unknown authority", "all", 60,
                "SSL certificate problem: unable to get local issuer certificate", verify: 20, connected: false,
                .certificate),
            Row(
                "expired", "all", 60, "SSL certificate problem: certificate has expired", verify: 10, connected: false,
                .certificateExpired),
            Row(
                "not yet valid", "all", 60, "SSL certificate problem: certificate is not yet valid", verify: 9,
                connected: false, .certificateExpired),
            Row(
                "the client's has expired, TLS 1.2", "all", 60, "SSL certificate verification failed", verify: 1,
                connected: false, .tls),
            Row(
                "the client's is missing, TLS 1.3", "all", 56,
                "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", .tls),
            Row(
                "the key's password", "7.76.0 to 8.15.0", 58,
                "unable to set private key file: 'client.locked' type PEM", verify: 1, connected: false, .tls),
            Row(
                "the key's password", "8.16.0 and later", 43,
                "unable to set private key file: 'client.locked' type PEM", verify: 1, connected: false, .tls),
        ]

        static let connections: [Row] = [
            Row(
                "a tunnel that is refused", "7.76.0", 56, "Received HTTP code 407 from proxy after CONNECT",
                connected: false, .connection),
            Row(
                "a tunnel that is refused", "7.88.1 to 8.19.0", 56, "CONNECT tunnel failed, response 407",
                connected: false, .connection),
            Row(
                "a tunnel that is refused", "8.20.0 and later", 7, "CONNECT tunnel failed, response 407",
                connected: false, .connection),
            Row("a tunnel that ends", "all", 56, "Proxy CONNECT aborted", connected: false, .connection),
            Row("a reset", "all", 56, "Recv failure: Connection reset by peer", .connectionLost),
            Row(
                "a reset over TLS", "all", 56, "OpenSSL SSL_read: Connection reset by peer, errno 104", .connectionLost),
            Row("a response that never came", "all", 52, "Empty reply from server", .connectionLost),
            Row(
                "a body that is cut short", "7.76.0 to 8.8.0", 18,
                "transfer closed with 6 bytes remaining to read", .connectionLost),
            Row(
                "a body that is cut short", "8.9.0 and later", 18, "end of response with 6 bytes missing",
                .connectionLost),
            Row("a request that can't be sent again", "all", 65, "seek callback returned error 1", .connectionLost),
        ]

        static let bytes: [Row] = [
            Row(
                "a chunk size", "7.76.0 to 8.5.0", 56,
                "Illegal or missing hexadecimal sequence in chunked-encoding", .badResponse),
            Row("a chunk size", "8.6.0 and later", 56, "chunk hex-length char not a hex digit: 0x7a", .badResponse),
            Row("a chunk size", "8.13.0 and later", 56, "invalid chunk size: '8000000000000000'", .badResponse),
            Row("headers", "8.3.0 and later", 56, "Too large response headers: 307221 > 307200", .badResponse),
            Row("a folded line", "7.88.1", 43, "", .badResponse),
            Row("a folded line over TLS", "7.88.1", 43, "", connected: true, .badResponse),
        ]

        @Test(arguments: certificates + connections + bytes)
        func `each cause has the same code with every version`(row: Row) {
            #expect(row.failure.kind == row.kind)
        }
    }
#endif
