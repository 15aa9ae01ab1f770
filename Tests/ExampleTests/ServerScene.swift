import Errand
import ErrandLoopback

/// A server for one test, and the platform's session to ask it with.
func withServer(
    _ handler: @escaping LoopbackServer.Handler, _ body: (LoopbackServer, PlatformSession) async throws -> Void
) async throws {
    try await LoopbackServer.withServer(handler) { try await body($0, .platform) }
}
