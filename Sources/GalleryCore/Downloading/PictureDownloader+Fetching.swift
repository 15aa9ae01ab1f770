import Errand

extension PictureDownloader {
    /// Fetches a picture and checks its size and its format.
    func fetch(_ picture: Picture) async throws -> (Data, PictureFormat) {
        let response = try await session.send(try Self.request("GET", for: picture))
        let data = try await response.body.collect(upTo: Self.sizeLimit)
        return (data, try Self.check(data, response.head))
    }

    /// Returns the size that the server states for a picture, or `nil` if it does not state a size or the request
    /// fails.
    ///
    /// - Throws: `CancellationError` only.
    func statedSize(of picture: Picture) async throws -> Int? {
        do {
            let head = try await session.send(try Self.request("HEAD", for: picture)).head
            // Some servers send 0 in response to every HEAD request.
            return head.status == 200 ? head.pictureSize.flatMap { $0 > 0 ? $0 : nil } : nil
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }

    private static func request(_ method: String, for picture: Picture) throws(DownloadError) -> APIRequest {
        guard let scheme = picture.url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw DownloadError(.invalidURL, "the picture's URL is not an http or https URL")
        }
        // Sessions send them in an Authorization header.
        guard picture.url.user == nil, picture.url.password == nil else {
            throw DownloadError(.invalidURL, "the picture's URL contains a user name or a password")
        }
        var head = URLRequest(url: picture.url)
        head.httpMethod = method
        head.allHTTPHeaderFields = fields
        var options = RequestOptions()
        options.delivery = .buffered(upTo: sizeLimit)
        return APIRequest(head: head, body: .none, options: options)
    }

    private static let fields = [
        "Accept": "image/avif, image/webp, image/png, image/jpeg, image/gif", "Accept-Encoding": "identity",
    ]

    private static func check(_ data: Data, _ head: ResponseHead) throws(DownloadError) -> PictureFormat {
        guard head.status == 200 else {
            let reason = head.printable(head.reason, limit: 1_024)
            throw DownloadError(.status, "the server responded with status \(head.status) \(reason)")
        }
        if let size = head.pictureSize, size != data.count {
            throw DownloadError(
                .truncated, "expected \(size) bytes, received \(data.count)", kind: "the picture is incomplete")
        }
        guard !data.isEmpty else { throw DownloadError(.notAPicture, "the server sent an empty picture") }
        guard let format = PictureFormat(of: data) else {
            let type = head.headers["Content-Type"].map { "data of type \(head.printable($0, limit: 1_024))" }
            throw DownloadError(
                .notAPicture, "expected a PNG, JPEG, WebP, GIF or AVIF picture, received \(type ?? "unknown data")",
                kind: "the response is not a supported picture")
        }
        return format
    }
}

extension ResponseHead {
    /// The stated size in bytes, or `nil` if there is no `Content-Length` or it applies to an encoded picture.
    fileprivate var pictureSize: Int? {
        let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
        return coding == "identity" ? headers["Content-Length"].flatMap { Int($0) } : nil
    }
}
