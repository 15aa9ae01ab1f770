import Errand

/// A session whose memory is measured.
struct MemorySubject: Sendable {
    let name: String
    let session: any APISession
    /// The most megabytes that memory may grow while a body passes; nil where any growth is only told.
    let allowed: Double?
}
