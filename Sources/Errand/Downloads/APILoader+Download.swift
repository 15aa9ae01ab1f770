extension APILoader {
    /// Downloads the body of the response to a file, and resumes a partial file of an earlier call.
    ///
    /// ```swift
    /// let file = try await loader.download(id, to: folder.appending(path: "film.mov")).value
    /// ```
    /// Until the body is complete, it is stored in a hidden file in the same folder. Only the current user can read
    /// this file. It is kept after an error, a cancellation or the end of the process if the server sends a strong
    /// validator (RFC 9110, section 8.8.1). If the process is killed, at least 256 kB must have been received. The file
    /// is not synchronized to the disk. Set ``DownloadOptions/digest`` to detect damage by a power failure. A later
    /// call with the same URL and destination requests only the missing bytes (section 14.2), and only if the resource
    /// has not changed (`If-Range`, section 13.1.5). Otherwise, the download starts again at the first byte, and the
    /// progress at 0.
    ///
    /// If the connection is lost during the body, the download resumes in the same call, after random waits of at most
    /// 0.5, 1, 2, 4 and 8 seconds. It also retries a resuming request after status 408, 429, 500, 502, 503 or 504, and
    /// obeys `Retry-After` up to 60 seconds. It fails after 5 consecutive retries without new bytes. The deadline of
    /// the API call applies to all attempts together.
    ///
    /// The SHA-256 hash of the file is compared with ``DownloadOptions/digest``, and with the `Repr-Digest` of the server
    /// (RFC 9530), before the file gets its final name. The `Content-Digest` of a complete response is compared, too,
    /// but not that of a part.
    ///
    /// The handler makes the request, which must be a GET request without `Range` and `If-Range`. It makes the request
    /// once for the complete download, and again if the server responds to a resuming request with status 401, 403, 404
    /// or 410, because the link may have expired. The validators check each header section. `parseResponse` is not
    /// called.
    ///
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - url: The file URL. Its folder must exist. An existing file is replaced only with
    ///     ``DownloadOptions/overwrites``.
    ///   - options: The options of the download.
    /// - Returns: The progress in bytes on the disk, with those of an earlier call, and then the file. Errors have the
    ///   code ``ServiceError/Code/file`` if the file exists or cannot be written, or if another download of the same
    ///   resource to it is running. They have ``ServiceError/Code/badResponse`` if the digest is wrong,
    ///   ``ServiceError/Code/bodyTooLarge`` above ``DownloadOptions/limit``, and ``ServiceError/Code/encoding`` for an
    ///   unsupported request.
    public func download(
        _ data: T.RequestDataType, to url: URL, options: DownloadOptions = DownloadOptions()
    ) -> TransferEvents<DownloadedFile> {
        download(data, .file(url), options)
    }

    /// Downloads the body of the response to a new file in a folder, and resumes a partial file of an earlier call.
    ///
    /// ```swift
    /// for try await event in loader.download(id, into: folder) {
    ///     switch event {
    ///     case .progress(let progress): bar.value = progress.fraction
    ///     case .finished(let file): play(file.url)
    ///     }
    /// }
    /// ```
    /// The name of the file is ``ResponseHead/suggestedFileName``, or `download` if there is none. If a file with that
    /// name exists, the new file is named `name (2).ext`, `name (3).ext` and so on. No file is replaced, even with
    /// ``DownloadOptions/overwrites``. For all other rules, see ``download(_:to:options:)``.
    ///
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - folder: The file URL of an existing folder.
    ///   - options: The options of the download.
    /// - Returns: The progress, and then the file.
    public func download(
        _ data: T.RequestDataType, into folder: URL, options: DownloadOptions = DownloadOptions()
    ) -> TransferEvents<DownloadedFile> {
        download(data, .folder(folder), options)
    }

    private func download(
        _ data: T.RequestDataType, _ place: DownloadPlace, _ options: DownloadOptions
    ) -> TransferEvents<DownloadedFile> {
        TransferEvents(on: time) { meter throws(ServiceError) in
            try await DownloadRun(self, data, place, options, meter: meter).run()
        }
    }
}

extension APILoader where T.RequestDataType == Void {
    /// Downloads the body of the response of an API call without input to a file.
    public func download(
        to url: URL, options: DownloadOptions = DownloadOptions()
    ) -> TransferEvents<DownloadedFile> {
        download((), to: url, options: options)
    }

    /// Downloads the body of the response of an API call without input to a new file in a folder.
    public func download(
        into folder: URL, options: DownloadOptions = DownloadOptions()
    ) -> TransferEvents<DownloadedFile> {
        download((), into: folder, options: options)
    }
}
