public import Errand

/// `GET /photos/{id}`: one photo with all of its members, by its identifier.
public struct PhotoAPI: GalleryHandler {
    /// The decoded response.
    public typealias ResponseDataType = GalleryModel

    /// The environment of the API.
    public let environment: GalleryEnvironment
    /// The access key. If `nil` or empty, requests have no `Authorization` header.
    public let accessKey: Secret?

    /// Creates the API call for an environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `photo`.
    public var callName: String { "photo" }

    /// Returns the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from id: String) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .photo(id: id))
    }
}
