public import Errand

/// Tells the server that a picture is downloaded, as it asks of its clients, and gets the picture's address.
///
/// Its input is a photo's ``PhotoLinks/downloadLocation``: an address out of a body, and therefore refused unless it is
/// on the environment's own origin and below its route. The answer's address is on another host: the access key is not
/// for it.
public struct DownloadAPI: GalleryHandler {
    /// What the server answers.
    public typealias ResponseDataType = DownloadLocation

    /// Where the API lives.
    public let environment: GalleryEnvironment
    /// What the server knows the program by.
    public let accessKey: Secret?

    /// Makes the call for one environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `download`.
    public var callName: String { "download" }

    /// Makes the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from location: URL) throws(ServiceError) -> URLRequest {
        try galleryRequest(to: location)
    }
}
