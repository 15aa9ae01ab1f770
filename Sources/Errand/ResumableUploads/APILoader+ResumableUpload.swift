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
    /// the server has lost some of the bytes, they are sent again. If it has removed the upload (404 or 410), the
    /// loader creates a new one, at most ``ResumableUploadProtocol/attempts`` in one call. Any other status of 400 or
    /// above ends the API call. A redirect that is not followed is an error with ``ServiceError/Code/badResponse``. The
    /// requests pass through the interceptors of the session. ``RetryInterceptor`` does not retry requests that send
    /// content.
    ///
    /// **Duplicates.** If the last bytes were sent and their response is lost, the server may have processed the
    /// content. If it then has no such upload (404 or 410), or does not repeat the response of an upload that it
    /// reports as complete, the API call fails with ``ServiceError/Code/responseLost``, and nothing is uploaded again.
    /// The error also occurs if the content is sent in one request, the process ends during this request, and the
    /// upload expires. The state file is removed, so that the next call uploads the content again. Find out first
    /// whether the server has the content.
    ///
    /// With ``RequestOptions/Idempotency/byKey``, a creation request with an unknown outcome is repeated with the same
    /// `Idempotency-Key`. After the loss of an upload, the next creation request has a new key, even if the handler has
    /// set the key, because the server would respond to the old one with the URL of the lost upload.
    ///
    /// **State.** The state file has the URL of the upload, and is written before the content is sent. Only the current
    /// user can read it, because the URL gives access to the upload. Its folder must exist, and must not be writable by
    /// other users. An error or a cancellation keeps the file, so that the next upload with the same state file
    /// continues. The file is removed after a success, after ``ServiceError/Code/responseLost``, and after a rejection
    /// by the server, unless the status is 401, 403 or 407. A file with the suffix `.lock` exists during the upload. A
    /// second upload with the same state file fails with ``ServiceError/Code/file``.
    ///
    /// The upload starts again if the state file is damaged or has the format of another version of the library. It
    /// also starts again if one of these differs:
    /// - the protocol
    /// - the method, the URL or the body of the creation request, or its headers that describe the content
    ///   (`Content-*`, `Upload-*` and `X-Upload-*`). Secret query items of the URL and the order of JSON members are
    ///   not compared
    /// - the content: its size, its modification date, and a digest of data or of the first and last 64 kB of a file
    /// - the account: ``RequestOptions/identity``, or without one, the headers of the handler with credentials
    ///
    /// Only hashes of the account and of the description are stored. Credentials that an interceptor adds are not
    /// compared. If several accounts use one state file, or if the handler sets a token that changes, set
    /// ``RequestOptions/identity`` in ``RequestHandler/options(for:)``.
    ///
    /// The upload also starts again if the first response to a stored upload violates the protocol, or is a 401 or 403
    /// of another origin than that of the creation request.
    ///
    /// **Origins.** The origin of the upload URL can differ from that of the creation request. Requests to another
    /// origin have only those headers of the handler that a redirect to another origin keeps (``RedirectInterceptor``).
    /// So have requests to a URL that another origin has chosen, after a redirect of the creation request. Interceptors
    /// send credentials only to their own origins. A URL with user information is an error. So is a change from https
    /// to http, unless ``RedirectInterceptor/Policy/allowsDowngrade`` permits it. Both have the code
    /// ``ServiceError/Code/badResponse``.
    ///
    /// A file that changes during the upload is an error with ``ServiceError/Code/encoding``.
    /// ``RequestOptions/totalTimeout`` limits the complete upload, including its waits. If a request does not send the
    /// complete file, a `URLSession` first copies its bytes to a temporary file. On Linux, a `URLSession` detects a
    /// connection that is lost after the last byte only when the idle timeout has passed.
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - protocol: The protocol of the server, and its settings.
    ///   - state: The URL of the state file. Use one file for each upload.
    /// - Returns: The events. Their iterator throws only ``ServiceError``. A streamed body, a form and a missing body
    ///   are errors with ``ServiceError/Code/configuration``. An upload that is or may be complete without its response
    ///   is an error with ``ServiceError/Code/responseLost``.
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
