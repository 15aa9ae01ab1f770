/// The checks of the URL of an upload, which is data of a server or of a state file.
package enum UploadAddress {
    /// The maximum number of bytes of a `Location`: 64 kB.
    private static let limit = 65_536

    /// Resolves the `Location` of a created upload.
    ///
    /// - Parameters:
    ///   - location: The value of the header.
    ///   - base: The URL of the response.
    ///   - creation: The request that creates the upload.
    /// - Returns: An http or https URL without user information.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse``.
    package static func url(
        _ location: String, from base: URL, for creation: APIRequest
    ) throws(ServiceError) -> URL {
        guard location.utf8.count <= limit, let url = base.resolving(location), url.user == nil, url.password == nil,
            (try? APIRequest(head: URLRequest(url: url), body: .none).checkAddress()) != nil
        else {
            throw ServiceError(
                .badResponse,
                "invalid URL of the upload: expected an http or https URL without user information, of at most 64 kB")
        }
        let isDowngrade = creation.url?.scheme?.lowercased() == "https" && url.scheme?.lowercased() != "https"
        guard !isDowngrade || creation.options.redirects.allowsDowngrade else {
            throw ServiceError(
                .badResponse, "expected an https URL of the upload, found an http URL: set allowsDowngrade to permit it"
            )
        }
        return url
    }
}
