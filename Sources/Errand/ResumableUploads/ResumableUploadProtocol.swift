/// A protocol for uploads that continue after an interruption, and its settings.
///
/// ```swift
/// loader.upload(video, resumingBy: .tus, state: folder.appending(path: "video.upload"))
/// loader.upload(video, resumingBy: .tus(chunk: 16 << 20), state: folder.appending(path: "video.upload"))
/// ```
/// Each protocol starts with a request that creates an upload on the server. Its response has the URL of the upload,
/// which receives the content. After an interruption, a request to this URL returns the number of stored bytes.
public struct ResumableUploadProtocol: Sendable, Hashable {
    /// The protocols. The raw value is their name in a state file.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case tus
        case httpDraft = "http-draft"
        case googleSession = "google-session"
    }

    package let kind: Kind
    /// The maximum number of bytes of the content in one request. If `nil` (the default), all remaining bytes are sent
    /// in one request, unless the server announces a limit.
    ///
    /// Set it if a proxy limits the size of requests. For ``googleSession``, it is rounded down to a multiple of
    /// 262,144 bytes (256 KiB), as the protocol requires, and is at least 262,144. For the other protocols, it is at
    /// least 1.
    public var chunk: Int64?
    /// The number of consecutive attempts without new stored bytes after which the upload fails, and the maximum number
    /// of uploads that one API call creates if the server loses them. The default is 5. The minimum is 1.
    public var attempts: Int = 5
    /// The random waits between attempts. By default, the first one is at most 1 second. The maximum doubles with each
    /// further wait, up to 60 seconds.
    public var backoff: RetryPolicy.Backoff = RetryPolicy.Backoff(base: .seconds(1), cap: .seconds(60))

    /// The tus protocol, version 1.0.0, with the extension `creation` (<https://tus.io/protocols/resumable-upload>).
    ///
    /// The creation request is that of the handler, usually a POST, without content. `Upload-Metadata` has the
    /// `filename` and the `filetype` of a file, unless the handler sets the header. The value is parsed from the
    /// response to the last PATCH, which usually has no body. Its ``ResponseHead/url`` is the URL of the upload. If
    /// that response was lost, the value is parsed from the response that reports the complete upload. For empty
    /// content, it is parsed from the response to the creation request.
    public static let tus: Self = .init(kind: .tus)

    /// Resumable Uploads for HTTP, an Internet-Draft: draft-ietf-httpbis-resumable-upload-12, interop version 8.
    ///
    /// The creation request is that of the handler, without content and with `Upload-Complete: ?0`, so that the URL of
    /// the upload is known before the first byte is sent. Interim responses with status 104 are not required. The
    /// limits in `Upload-Limit` are obeyed. The value is parsed from the response with `Upload-Complete: ?1`. If that
    /// response was lost, an empty PATCH asks for it. A server is not required to repeat it. Then the API call fails
    /// with ``ServiceError/Code/responseLost``.
    public static let httpDraft: Self = .init(kind: .httpDraft)

    /// The session protocol of Google's APIs, such as Drive, Cloud Storage and YouTube ("resumable upload").
    ///
    /// The creation request is the handler's request. Its URL usually has the query item `uploadType=resumable`, and
    /// its `httpBody` has the metadata, for example as JSON. ``RequestHandler/body(for:)`` returns the content. If
    /// there is no metadata, `httpBody` can have the content instead, and ``RequestHandler/body(for:)`` returns `nil`.
    /// The handler can set `X-Upload-Content-Type`. The value is parsed from the last response, with status 200 or 201.
    public static let googleSession: Self = .init(kind: .googleSession)

    /// ``tus`` with a maximum number of bytes in one request.
    public static func tus(chunk: Int64) -> Self { Self(kind: .tus, chunk: chunk) }

    /// ``httpDraft`` with a maximum number of bytes in one request.
    public static func httpDraft(chunk: Int64) -> Self { Self(kind: .httpDraft, chunk: chunk) }

    /// ``googleSession`` with a maximum number of bytes in one request.
    public static func googleSession(chunk: Int64) -> Self { Self(kind: .googleSession, chunk: chunk) }

    private init(kind: Kind, chunk: Int64? = nil) {
        self.kind = kind
        self.chunk = chunk
    }

    /// Returns the messages of the protocol.
    package func rules(for content: UploadContent.Facts) -> any UploadRules {
        switch kind {
        case .tus: TusRules(content)
        case .httpDraft: HTTPDraftRules(content)
        case .googleSession: GoogleSessionRules(content)
        }
    }
}
