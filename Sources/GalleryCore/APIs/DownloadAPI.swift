public import Errand

/// Reports the download of a picture, as the Unsplash API requires, and returns the URL of the picture.
///
/// The input is a photo's ``PhotoLinks/downloadLocation``. This URL comes from a response body, so it is rejected
/// unless it is on the environment's origin and below its base path. The returned URL is on another host. Do not send
/// the access key there.
public struct DownloadAPI: GalleryHandler {
    /// The decoded response.
    public typealias ResponseDataType = DownloadLocation

    /// The environment of the API.
    public let environment: GalleryEnvironment
    /// The access key. If `nil` or empty, requests have no `Authorization` header.
    public let accessKey: Secret?

    /// Creates the API call for an environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `download`.
    public var callName: String { "download" }

    /// Returns the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from location: URL) throws(ServiceError) -> URLRequest {
        try galleryRequest(to: location)
    }
}
