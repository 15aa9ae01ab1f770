#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// Paused transfers over TLS, on an engine that the test drives.
    @Suite(.timeLimit(.minutes(2)), .needsNginx, .besideNginx) struct PauseIntegrationTests {
        /// libcurl 8.5.0 continues to read while a transfer is paused.
        @Test func `a paused transfer over TLS causes no events and loses no bytes`() throws {
            let nginx = try #require(Nginx.current)
            let size = 16 << 20
            try Data(count: size).write(to: nginx.certificates.url.appending(path: "pause"))
            let url = try nginx.url(.good, "/files/pause").absoluteString
            let transfer = try DrivenTransfer(url, portion: 2 << 20, authorities: nginx.certificates.authority)
            try transfer.expectQuietPauses(size: size)
        }
    }
#endif
