/// The options of a download.
///
/// ```swift
/// var options = DownloadOptions()
/// options.digest = try .sha256(release.checksum)
/// options.ranges = 4
/// let file = try await loader.download(release, to: url, options: options).value
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// Whether the download continues after an interruption. The default is `true`.
    ///
    /// If `true`, the download resumes in the same call after a lost connection, and in a later call from the partial
    /// file. The request has `Accept-Encoding: identity`. If `false`, a partial file is discarded, no `Range` header is
    /// sent, and the body may be compressed.
    public var resumes: Bool = true
    /// The expected SHA-256 hash of the file. If `nil` (the default), only the digests of the server are verified.
    public var digest: FileDigest?
    /// Whether a file at the destination is replaced. If `false` (the default), an existing file is an error with
    /// ``ServiceError/Code/file``. ``APILoader/download(_:into:options:)`` never replaces a file.
    public var overwrites: Bool = false
    /// The maximum number of bytes of the file. The default is unlimited. A larger file is an error with
    /// ``ServiceError/Code/bodyTooLarge``, and its bytes are removed.
    public var limit: Int64 = .max
    /// The maximum number of ranges that are downloaded at the same time, from 1 (the default) to 16. Other numbers are
    /// limited to these.
    ///
    /// Several ranges are used only if ``resumes`` is `true`, if the server supports ranges and sends a strong
    /// validator and the length, and if each range has at least 1 MB (1,048,576 bytes).
    public var ranges: Int = 1
    /// The identity of the resource. If `nil` (the default), it is the complete URL of the request.
    ///
    /// A partial file is resumed only for the same identity. Set the identity if the URL changes with each request, for
    /// example a presigned URL. Only a hash of the identity is stored.
    public var identity: String?

    /// Creates the default options.
    public init() {}
}

extension DownloadOptions {
    /// The minimum length of a part: 1 MB.
    static var minimumPart: Int64 { 1 << 20 }

    /// ``ranges`` within its limits. 1 if the download does not resume.
    var width: Int { resumes ? min(max(ranges, 1), 16) : 1 }
}
