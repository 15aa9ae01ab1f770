/// A complete file that was downloaded.
public struct DownloadedFile: Sendable, Hashable {
    /// The URL of the file.
    public let url: URL
    /// The number of bytes.
    public let size: Int64
    /// The status and headers of the last response. Its status is 200 for a complete body, 206 for a range, and 416 if
    /// the partial file was already complete and the server had not announced its length.
    public let head: ResponseHead
    /// The number of bytes from the partial file of an earlier call, or 0 if the download started at the beginning.
    public let resumedFrom: Int64
    /// The SHA-256 hash of the file if it was verified: against ``DownloadOptions/digest`` or a digest of the server.
    public let digest: FileDigest?

    /// Creates a value, for test doubles.
    public init(url: URL, size: Int64, head: ResponseHead, resumedFrom: Int64 = 0, digest: FileDigest? = nil) {
        self.url = url
        self.size = size
        self.head = head
        self.resumedFrom = resumedFrom
        self.digest = digest
    }
}
