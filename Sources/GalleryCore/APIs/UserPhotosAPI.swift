public import Errand

/// `GET /users/{username}/photos`: the photos of one user, page by page.
public struct UserPhotosAPI: GalleryHandler {
    /// The decoded response.
    public typealias ResponseDataType = [GalleryModel]

    /// The environment of the API.
    public let environment: GalleryEnvironment
    /// The access key. If `nil` or empty, requests have no `Authorization` header.
    public let accessKey: Secret?

    /// Creates the API call for an environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `user photos`.
    public var callName: String { "user photos" }

    /// Returns the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from query: UserPhotosQuery) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .userPhotos(username: query.username), query: query)
    }
}
