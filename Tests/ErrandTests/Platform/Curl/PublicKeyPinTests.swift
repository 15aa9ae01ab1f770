#if os(Linux)
    import Errand
    import Testing

    /// The format of pins, which is checked before a connection is opened.
    @Suite(.timeLimit(.minutes(1))) struct PublicKeyPinTests {
        private static let digest = "YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="

        private func failure(_ pins: [String]) async throws -> ServiceError {
            var configuration = CurlSession.Configuration.direct
            configuration.tls.pinnedKeys = pins
            let session = CurlSession(configuration)
            // No server listens on port 1.
            return try #require(
                await #expect(throws: ServiceError.self) {
                    try await session.send(CurlScene.request("https://127.0.0.1:1/"))
                })
        }

        @Test(arguments: [
            "", "x", "not a digest", "sha256//", "sha256/\(digest)", "sha256:\(digest)", "SHA256//\(digest)",
            "sha256//\(digest);sha256//\(digest)", "sha256//sha256//\(digest)", "\(digest) ", "\(digest)\n",
            "\(digest.dropLast())",
            "\(digest)=", "621289292ce84edd9be453f5f1fbe91e8edf258a900a301adc7598dedbd13301",
            "62:12:89:29:2C:E8:4E:DD:9B:E4:53:F5:F1:FB:E9:1E:8E:DF:25:8A:90:0A:30:1A:DC:75:98:DE:DB:D1:33:01",
            "YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa", "YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwEA",
            "YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMw_=", "YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwEYhKJK",
            "\u{1F511}",
        ])
        func `a malformed pin is a configuration error that shows the format`(pin: String) async throws {
            let error = try await failure([Self.digest, pin])
            #expect(error.code == .configuration, "\(error)")
            #expect(
                error.reason.hasPrefix("invalid pin ") && error.reason.contains("sha256//\(Self.digest)"), "\(error)")
        }

        @Test(arguments: [[digest], ["sha256//\(digest)"], ["sha256//\(digest)", digest]])
        func `a pin can have curl's prefix`(pins: [String]) async throws {
            #expect(try await failure(pins).code == .connection)
        }
    }
#endif
