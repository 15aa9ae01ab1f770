import Errand

extension PictureDownloader {
    /// Fetches one picture and makes sure that it is one, and whole.
    func fetch(_ picture: Picture) async throws -> (Data, PictureFormat) {
        guard let scheme = picture.address.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw DownloadError(.address, "the picture's address is not http or https")
        }
        // Sessions make an Authorization field of them.
        guard picture.address.user == nil, picture.address.password == nil else {
            throw DownloadError(.address, "the picture's address holds a user name or a password")
        }
        var head = URLRequest(url: picture.address)
        head.allHTTPHeaderFields = Self.fields
        var options = RequestOptions()
        options.delivery = .buffered(upTo: Self.sizeLimit)
        let response = try await session.send(APIRequest(head: head, body: .none, options: options))
        let data = try await response.body.collect(upTo: Self.sizeLimit)
        return (data, try Self.check(data, response.head))
    }

    private static let fields = [
        "Accept": "image/avif, image/webp, image/png, image/jpeg, image/gif", "Accept-Encoding": "identity",
    ]

    private static func check(_ data: Data, _ head: ResponseHead) throws(DownloadError) -> PictureFormat {
        guard head.status == 200 else {
            let reason = head.printable(head.reason, limit: 1_024)
            throw DownloadError(.status, "the server answered \(head.status) \(reason)")
        }
        try checkLength(data, head)
        guard !data.isEmpty else { throw DownloadError(.notAPicture, "the server sent an empty picture") }
        guard let format = PictureFormat(of: data) else {
            let type = head.fields["Content-Type"].map { "something of type \(head.printable($0, limit: 1_024))" }
            throw DownloadError(
                .notAPicture, "the server sent \(type ?? "something"), not a picture of a known kind",
                kind: "what the server sent is no picture")
        }
        guard format.isWhole(data) else {
            throw DownloadError(
                .truncated, "the picture was cut off after \(data.count) bytes", kind: "the picture was cut off")
        }
        return format
    }

    /// A length that was counted before the transport undid a content coding says nothing about these bytes.
    private static func checkLength(_ data: Data, _ head: ResponseHead) throws(DownloadError) {
        let coding = head.fields["Content-Encoding"]?.lowercased() ?? "identity"
        guard coding == "identity", let text = head.fields["Content-Length"], let length = Int(text) else { return }
        guard data.count == length else {
            throw DownloadError(
                .truncated, "\(data.count) bytes of the picture arrived, not \(length)", kind: "the picture was cut off"
            )
        }
    }
}
