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
    /// It then continues in the same call if the connection is lost, and in a later call from the partial file. If
    /// `false`, a partial file is discarded, no `Range` header is sent, and the session may accept a compressed body.
    public var resumes: Bool = true
    /// The expected SHA-256 hash of the file. If `nil` (the default), only the digests of the server are verified.
    public var digest: FileDigest?
    /// Whether a file at the destination is replaced. The default is `false`: the download then fails with
    /// ``ServiceError/Code/file``. A name that the server suggests never replaces a file.
    public var overwrites: Bool = false
    /// The maximum number of bytes of the file. The default is unlimited.
    public var limit: Int64 = .max
    /// The maximum number of parts that are downloaded at the same time, from 1 (the default) to 16.
    ///
    /// Several parts are used only if the server supports ranges, sends a strong validator and the length, and each
    /// part has at least 1 MB.
    public var ranges: Int = 1
    /// The identity of the resource. If `nil` (the default), it is the complete URL of the request.
    ///
    /// A partial file is continued only for the same identity. Set it if the URL is different for each request, for
    /// example a link that is signed anew. It is stored only as a hash.
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
