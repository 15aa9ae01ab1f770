import Errand

extension PictureDownloader {
    /// Fetches one picture and checks its size and its format.
    func fetch(_ picture: Picture) async throws -> (Data, PictureFormat) {
        let response = try await session.send(try Self.request("GET", for: picture))
        let data = try await response.body.collect(upTo: Self.sizeLimit)
        return (data, try Self.check(data, response.head))
    }

    /// The size that the server states for a picture, or `nil` if it states none or the request fails.
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
        guard let scheme = picture.address.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw DownloadError(.address, "the picture's address is not http or https")
        }
        // Sessions make an Authorization field of them.
        guard picture.address.user == nil, picture.address.password == nil else {
            throw DownloadError(.address, "the picture's address holds a user name or a password")
        }
        var head = URLRequest(url: picture.address)
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
            throw DownloadError(.status, "the server answered \(head.status) \(reason)")
        }
        if let size = head.pictureSize, size != data.count {
            throw DownloadError(
                .truncated, "\(data.count) bytes of the picture arrived, not \(size)", kind: "the picture was cut off")
        }
        guard !data.isEmpty else { throw DownloadError(.notAPicture, "the server sent an empty picture") }
        guard let format = PictureFormat(of: data) else {
            let type = head.fields["Content-Type"].map { "something of type \(head.printable($0, limit: 1_024))" }
            throw DownloadError(
                .notAPicture, "the server sent \(type ?? "something"), not a picture of a known kind",
                kind: "what the server sent is no picture")
        }
        return format
    }
}

extension ResponseHead {
    /// The size in bytes that the response states, or `nil` if it states none or only that of an encoded picture.
    fileprivate var pictureSize: Int? {
        let coding = fields["Content-Encoding"]?.lowercased() ?? "identity"
        return coding == "identity" ? fields["Content-Length"].flatMap { Int($0) } : nil
    }
}
