import Errand
import ErrandLoopback

/// Starts a server for one test, and provides the platform's session.
func withServer(
    _ handler: @escaping LoopbackServer.Handler, _ body: (LoopbackServer, PlatformSession) async throws -> Void
) async throws {
    try await LoopbackServer.withServer(handler) { try await body($0, .platform) }
}
