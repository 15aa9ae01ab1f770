import Errand

/// A session of the memory benchmark.
struct MemorySubject: Sendable {
    let name: String
    let session: any APISession
    /// The maximum growth of memory during a transfer, in megabytes. If `nil`, the growth is printed and not limited.
    let allowed: Double?
}
