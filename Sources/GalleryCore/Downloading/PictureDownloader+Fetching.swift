import Errand

extension PictureDownloader {
    /// Downloads a picture, and continues the partial file of an earlier run.
    ///
    /// - Throws: ``DownloadError``, or ``/Errand/ServiceError`` of the download.
    func fetch(
        _ entry: DownloadPlan.Entry, in folder: PictureFolder, _ transfers: PictureTransfers?
    ) async throws -> PictureFile {
        let picture = entry.picture
        // The loader would wrap the error for an invalid URL.
        try PictureAPI.check(picture.url)
        var options = DownloadOptions()
        options.overwrites = true
        options.limit = Int64(Self.sizeLimit)
        // Unsplash sends another query with each list. The entity tag tells whether the picture has changed.
        options.identity = String(picture.url.absoluteString.prefix { $0 != "?" })
        let download = APILoader(PictureAPI(), session: session).download(
            picture, to: folder.unchecked(entry.name), options: options)
        if let file = try await transfers?.file(of: download, entry.name) {
            return try folder.name(file, as: entry.name)
        }
        return try folder.name(try await download.value, as: entry.name)
    }

    /// Returns the size that the server states for a picture, or `nil` if it does not state a size or the request
    /// fails.
    ///
    /// - Throws: `CancellationError` only.
    func statedSize(of picture: Picture) async throws -> Int? {
        do {
            let request = try PictureAPI.request("HEAD", for: picture)
            let head = try await session.send(APIRequest(head: request, body: .none, options: RequestOptions())).head
            // Some servers send 0 in response to every HEAD request.
            return head.status == 200 ? head.pictureSize.flatMap { $0 > 0 ? $0 : nil } : nil
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }
}

extension ResponseHead {
    /// The stated size in bytes, or `nil` if there is no `Content-Length` or it applies to an encoded picture.
    fileprivate var pictureSize: Int? {
        let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
        return coding == "identity" ? headers["Content-Length"].flatMap { Int($0) } : nil
    }
}
