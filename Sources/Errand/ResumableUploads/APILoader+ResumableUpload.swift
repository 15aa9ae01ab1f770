extension APILoader {
    /// Uploads the content of the API call with a protocol for resumable uploads, and reports the progress and then the
    /// value. An upload that was interrupted continues, even in another process.
    ///
    /// ```swift
    /// let events = loader.upload(video, resumingBy: .tus, state: folder.appending(path: "video.upload"))
    /// for try await event in events {
    ///     switch event {
    ///     case .progress(let progress): bar.value = progress.fraction
    ///     case .finished(let film): show(film)
    ///     }
    /// }
    /// ```
    /// The handler describes the request that creates the upload: its method, URL and headers. The content is a file or
    /// data, from ``RequestHandler/body(for:)`` or the body of the request. The handler validates and parses the last
    /// response. See ``ResumableUploadProtocol`` for the rules of each protocol.
    ///
    /// **Interruptions.** After a failed or lost connection, a timeout, or a status 408, 409, 423, 425, 429 or 5xx, the
    /// loader waits, requests the number of stored bytes, and continues from there. A 409 to the creation request is
    /// permanent. `Retry-After` is obeyed up to 60 seconds. A longer wait ends the API call, and so does the number of
    /// consecutive failures in ``ResumableUploadProtocol/attempts``. After status 413, the next chunks are smaller. If
    /// the server has removed the upload (404 or 410), the loader creates a new one. Any other status of 400 or above
    /// ends the API call. A redirect that is not followed is an error with ``ServiceError/Code/badResponse``. The
    /// requests pass through the interceptors of the session. ``RetryInterceptor`` does not retry requests that send
    /// content.
    ///
    /// **State.** The state file has the URL of the upload, and is written before the content is sent. Only the current
    /// user can read it, because the URL gives access to the upload. Its folder must exist, and must not be writable by
    /// other users. An error or a cancellation keeps the file, so that the next upload with the same state file
    /// continues. It is removed after a success, and after a rejection by the server, unless the status is 401, 403 or
    /// 407. The upload starts again if the state file is damaged, or if the protocol, the URL of the creation request
    /// or the content differs. The content is compared by its size, its modification date, and a digest of data or of
    /// the first and last 64 kB of a file. A file with the suffix `.lock` exists during the upload. A second upload
    /// with the same state file fails with ``ServiceError/Code/file``.
    ///
    /// **Origins.** The origin of the upload URL can differ from that of the creation request. Requests to another
    /// origin have only those headers of the handler that a redirect to another origin keeps (``RedirectInterceptor``).
    /// Interceptors send credentials only to their own origins. A URL with user information is an error. So is a change
    /// from https to http, unless ``RedirectInterceptor/Policy/allowsDowngrade`` permits it. Both have the code
    /// ``ServiceError/Code/badResponse``.
    ///
    /// A file that changes during the upload is an error with ``ServiceError/Code/encoding``.
    /// ``RequestOptions/totalTimeout`` limits the complete upload, including its waits. A `URLSession` on Linux first
    /// copies the remaining bytes of a file to a temporary file. It detects a connection that is lost after the last
    /// byte only when the idle timeout has passed.
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - protocol: The protocol of the server, and its settings.
    ///   - state: The URL of the state file. Use one file for each upload.
    /// - Returns: The events. Their iterator throws only ``ServiceError``. A streamed body, a form and a missing body
    ///   are errors with ``ServiceError/Code/configuration``.
    public func upload(
        _ data: T.RequestDataType, resumingBy protocol: ResumableUploadProtocol, state: URL
    ) -> TransferEvents<T.ResponseDataType> {
        TransferEvents(on: time) { meter throws(ServiceError) in
            let uploading = ResumableUploadSession(
                session: session, settings: `protocol`, state: state, meter: meter,
                content: { try handler.body(for: data) })
            let call = UploadCreation(wrapped: handler)
            return try await APILoader<UploadCreation<T>>(call, over: uploading, on: time, from: random)
                .load(data)
        }
    }
}

/// The API call that creates an upload. Its body is that of the request, because the content is sent later.
private struct UploadCreation<T: APIHandler>: WrappingHandler {
    let wrapped: T

    func body(for data: T.RequestDataType) throws -> RequestBody? { nil }
}
