import Errand

/// The API call that fetches a picture. It has no credentials, because pictures are on other hosts than the API.
struct PictureAPI: APIHandler {
    private static let fields = [
        "Accept": "image/avif, image/webp, image/png, image/jpeg, image/gif", "Accept-Encoding": "identity",
    ]

    /// Accepts a complete picture, and a part that continues one.
    var validators: [ResponseValidator] { [.status(200, 206)] }

    func makeRequest(from picture: Picture) throws(DownloadError) -> URLRequest {
        try Self.request("GET", for: picture)
    }

    /// Not called: the picture is downloaded to a file.
    func parseResponse(data: Data, head: ResponseHead) -> Data { data }

    /// Returns a request for a picture.
    ///
    /// - Throws: ``DownloadError`` with ``DownloadError/Code/invalidURL``.
    static func request(_ method: String, for picture: Picture) throws(DownloadError) -> URLRequest {
        try check(picture.url)
        var request = URLRequest(url: picture.url)
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        return request
    }

    /// Checks the URL of a picture.
    ///
    /// - Throws: ``DownloadError`` with ``DownloadError/Code/invalidURL``.
    static func check(_ url: URL) throws(DownloadError) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw DownloadError(.invalidURL, "the picture's URL is not an http or https URL")
        }
        // Sessions send them in an Authorization header.
        guard url.user == nil, url.password == nil else {
            throw DownloadError(.invalidURL, "the picture's URL contains a user name or a password")
        }
    }
}
