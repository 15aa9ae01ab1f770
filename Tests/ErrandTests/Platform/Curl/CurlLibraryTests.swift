#if os(Linux)
    import CErrandCurl
    import Errand
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct CurlLibraryTests {
        struct Row: Sendable, CustomTestStringConvertible {
            let number: UInt32
            var features = ERRAND_CURL_VERSION_SSL | ERRAND_CURL_VERSION_ASYNCHDNS
            let flaw: String?

            var testDescription: String { "\(String(number, radix: 16)): \(flaw ?? "usable")" }
        }

        @Test(arguments: [
            Row(number: 0x074400, flaw: "is too old"), Row(number: 0x074bff, flaw: "is too old"),
            Row(number: 0x074c00, flaw: nil), Row(number: 0x081500, flaw: nil),
            Row(number: 0x081500, features: ERRAND_CURL_VERSION_ASYNCHDNS, flaw: "has no TLS"),
            Row(number: 0x081500, features: ERRAND_CURL_VERSION_SSL, flaw: "has no asynchronous name lookup"),
        ])
        func `a libcurl is usable depending on its version and features`(row: Row) {
            #expect(errand_curl_flaw(row.number, Int32(row.features)).map { String(cString: $0) } == row.flaw)
        }

        @Test func `the error for an unusable libcurl names it and the remedy`() {
            let error = CurlLibrary.unusable("libcurl 7.68.0 is too old")
            #expect(error.code == .configuration)
            for part in ["(libcurl 7.68.0 is too old)", "7.76.0 or later", "libcurl4", "session: .shared"] {
                #expect(error.reason.contains(part), "\(error.reason)")
            }
        }

        /// `CURLOPT_CAINFO_BLOB` came with libcurl 7.77.0.
        @Test func `PEM authorities work, or the error names the required version`() async throws {
            var configuration = CurlSession.Configuration.direct
            configuration.tls.authorities = .pem("no certificate")
            let session = CurlSession(configuration)
            let error = try await #require(throws: ServiceError.self) {
                _ = try await session.send(CurlScene.request("http://127.0.0.1:1/"))
            }
            if CurlLibrary.acceptsAuthorities {
                #expect(error.code == .connection, "\(error)")
            } else {
                #expect(error.code == .configuration, "\(error)")
                #expect(
                    error.reason.contains("expected libcurl 7.77.0 or later, found \(CurlLibrary.state)"), "\(error)")
            }
        }
    }
#endif
