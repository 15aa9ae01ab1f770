extension APILoader {
    /// Runs the API call and reports the progress of its request body, and then the value.
    ///
    /// ```swift
    /// for try await event in loader.upload(avatar) {
    ///     switch event {
    ///     case .progress(let progress): bar.value = progress.fraction
    ///     case .finished(let photo): show(photo)
    ///     }
    /// }
    /// ```
    /// The body is that of the handler: ``RequestHandler/body(for:)`` or the body of the request. The API call is the
    /// same as that of `load(_:)`, with its validators and interceptors. A body that is sent again, for a retry or a
    /// redirect, starts again at 0 bytes.
    ///
    /// A `URLSession` on Linux reports larger steps than `CurlSession`. A custom session reports progress with
    /// ``RequestOptions/reportUploadStart(total:)`` and ``RequestOptions/reportUpload(of:)``.
    /// - Returns: The events. Their iterator throws only ``ServiceError``.
    public func upload(_ data: T.RequestDataType) -> TransferEvents<T.ResponseDataType> {
        TransferEvents(on: time) { meter throws(ServiceError) in
            try await response(data) { $0.options.uploadMeter = meter }.0.value
        }
    }
}

extension APILoader where T.RequestDataType == Void {
    /// Runs the API call without input and reports the progress of its request body, and then the value.
    public func upload() -> TransferEvents<T.ResponseDataType> { upload(()) }
}
