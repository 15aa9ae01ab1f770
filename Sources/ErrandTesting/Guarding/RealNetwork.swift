import Errand

/// The guard against the forgotten injection: a test that was to use a double, and would ask the real server.
///
/// ```swift
/// @Suite struct GalleryTests {
///     init() { RealNetwork.forbid() }
/// }
/// ```
/// A loader without a session then fails with ``/Errand/ServiceError/Code/configuration`` and names its handler, before
/// anything is sent. Addresses of this machine (`localhost`, `127.…`, `::1`) stay allowed, and so does every session
/// that was handed over on purpose: only ``/Errand/PlatformSession`` is guarded.
public enum RealNetwork {
    /// Forbids it for the rest of the process; calling it again does nothing.
    public static func forbid() { NetworkPolicy.forbid() }

    /// Forbids it within a body and the structured tasks that it starts, not in others of the process.
    public static func forbidden<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await NetworkPolicy.forbidding(body)
    }
}
