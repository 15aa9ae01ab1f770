import Errand

/// Prevents tests that should use a test double from sending requests to a real server.
///
/// ```swift
/// @Suite struct GalleryTests {
///     init() { RealNetwork.forbid() }
/// }
/// ```
/// A loader without a session then fails with ``/Errand/ServiceError/Code/configuration`` before anything is sent. The
/// error names its handler. Hosts of this machine (`localhost`, `127.…`, `::1`) stay allowed, and so does every
/// session that is passed explicitly. Only ``/Errand/PlatformSession`` is guarded.
public enum RealNetwork {
    /// Forbids the real network for the rest of the process. Further calls have no effect.
    public static func forbid() { NetworkPolicy.forbid() }

    /// Forbids the real network only within a closure and the structured tasks that it starts.
    public static func forbidden<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await NetworkPolicy.forbidding(body)
    }
}
