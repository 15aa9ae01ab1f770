#if os(Linux)
    import CErrandCurl
    import Testing

    /// Whether a libcurl reports a TLS connection that ends without a close_notify alert.
    @Suite struct CurlTLSEndTests {
        struct Row: Sendable, CustomTestStringConvertible {
            /// The TLS library, as in `curl_version_info`.
            let tls: String
            /// The version of libcurl.
            let number: UInt32
            var hasTLSProxy = false
            let isDetected: Bool

            var testDescription: String {
                "\(tls), libcurl \(String(number, radix: 16))\(hasTLSProxy ? ", https proxy" : ""): \(isDetected)"
            }

            init(_ tls: String, _ number: UInt32, hasTLSProxy: Bool = false, _ isDetected: Bool) {
                self.tls = tls
                self.number = number
                self.hasTLSProxy = hasTLSProxy
                self.isDetected = isDetected
            }
        }

        static let openSSL: [Row] = [
            Row("OpenSSL/1.0.2k-fips", 0x074c00, false), Row("OpenSSL/1.1.1k", 0x074c00, false),
            Row("OpenSSL/1.1.1w", 0x080e01, false), Row("OpenSSL/1.1.1w", 0x080f00, true),
            Row("OpenSSL/3.0.7", 0x074c01, true), Row("OpenSSL/3.0.22", 0x075600, true),
            Row("OpenSSL/3.0.22", 0x075700, false), Row("OpenSSL/3.0.22", 0x075801, false),
            Row("OpenSSL/3.0.13", 0x080500, false), Row("OpenSSL/3.1.4", 0x080e00, false),
            Row("OpenSSL/3.0.22", 0x080e01, true), Row("OpenSSL/3.0.22", 0x081500, true),
            Row("OpenSSL/3.2.0", 0x075801, true), Row("OpenSSL/3.6.5", 0x080500, true),
            Row("OpenSSL/3.10.0", 0x080500, true), Row("OpenSSL/4.0.0", 0x080500, true),
        ]

        static let otherLibraries: [Row] = [
            Row("GnuTLS/3.7.9", 0x075801, true), Row("GnuTLS/3.8.9", 0x081500, true),
            Row("mbedTLS/2.28.3", 0x074c00, true), Row("mbedTLS/3.6.2", 0x080e01, true),
            Row("LibreSSL/3.8.2", 0x080e01, false), Row("LibreSSL/4.1.0", 0x080f00, true),
            Row("BoringSSL", 0x080e01, false), Row("BoringSSL", 0x080f00, true),
            Row("AWS-LC/1.28.0", 0x080e01, false), Row("AWS-LC/1.53.1", 0x080f00, true),
            Row("quictls/3.1.4", 0x080500, false), Row("quictls/3.3.0", 0x080f00, true),
            Row("rustls-ffi/0.14.0/rustls/0.23.13", 0x080e01, false),
            Row("rustls-ffi/0.15.0/rustls/0.23.25", 0x080f00, true),
            Row("wolfSSL/5.7.2", 0x075801, false), Row("wolfSSL/5.8.0", 0x080f00, false),
            Row("NSS/3.87.1", 0x075801, false), Row("BearSSL", 0x080e01, false),
            Row("Schannel", 0x081500, false), Row("SecureTransport", 0x080e01, false),
        ]

        static let proxies: [Row] = [
            Row("OpenSSL/3.0.7", 0x074c01, hasTLSProxy: true, false),
            Row("OpenSSL/3.0.22", 0x080500, hasTLSProxy: true, false),
            Row("OpenSSL/3.0.22", 0x080e01, hasTLSProxy: true, false),
            Row("OpenSSL/3.0.22", 0x080f00, hasTLSProxy: true, true),
            Row("OpenSSL/3.6.5", 0x074c00, hasTLSProxy: true, true),
            Row("GnuTLS/3.7.9", 0x075801, hasTLSProxy: true, true),
        ]

        static let unknown: [Row] = [
            Row("", 0x081500, false), Row("OpenSSL", 0x081500, false), Row("OpenSSL/x", 0x081500, false),
            Row("NewTLS/9.9", 0x081500, false), Row("(GnuTLS/3.8.9) OpenSSL/3.5.0", 0x081500, false),
            Row("OpenSSL/3.5.0 (GnuTLS/3.8.9)", 0x081500, false),
        ]

        @Test(arguments: openSSL + otherLibraries + proxies + unknown)
        func `a missing close_notify is reported by known versions only`(row: Row) {
            #expect(errand_tls_detects_truncation(row.tls, row.number, row.hasTLSProxy) == row.isDetected)
        }

        @Test func `an unnamed TLS library reports no missing close_notify`() {
            #expect(!errand_tls_detects_truncation(nil, 0x081500, false))
        }
    }
#endif
