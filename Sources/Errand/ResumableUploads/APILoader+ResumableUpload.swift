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
    /// **Interruptions.** After a lost connection, a timeout, or a status 408, 409, 423, 425, 429 or 5xx, the loader
    /// waits, asks the server for the number of stored bytes, and continues from there. See
    /// ``ResumableUploadProtocol/attempts``. After 413, smaller chunks follow. If the server has removed the upload
    /// (404 or 410), a new one is created. Any other status of 400 or above ends the API call. The requests pass
    /// through the interceptors of the session. ``RetryInterceptor`` does not send content again.
    ///
    /// **State.** The state file has the URL of the upload, and is written before the content is sent. It can be read
    /// only by the current user, because this URL permits to continue the upload. Its folder must exist, and must not
    /// be writable by other users. An error or a cancellation keeps the file, so that the next upload with the same
    /// state file continues. It is removed after a success, and after a rejection by the server, unless the status is
    /// 401, 403 or 407. If the file is damaged, or if the content (its size, date or bytes), the protocol or the URL of
    /// the creation request differs, the upload starts again. A file with the suffix `.lock` exists during the upload.
    /// A second upload with the same state file fails with ``ServiceError/Code/file``.
    ///
    /// **Origins.** The URL of the upload can have another origin than the creation request. Then the content is sent
    /// there without the handler's headers, except those that are kept after a redirect (``RedirectInterceptor``).
    /// Interceptors send credentials only to their own origins. A URL with user information, and one that leads from
    /// https to http, are errors.
    ///
    /// A file must not change during the upload. ``RequestOptions/totalTimeout`` limits the complete upload, with its
    /// waits. A `URLSession` on Linux first copies the remaining bytes of a file to a temporary file. If a connection is
    /// lost after the last byte, it notices this only by the idle timeout.
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - protocol: The protocol of the server, and its settings.
    ///   - state: The URL of the state file. Use one file for each upload.
    /// - Returns: The events. Their iterator throws only ``ServiceError``, for a streamed body or a form with
    ///   ``ServiceError/Code/configuration``.
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
