public import Errand

/// `GET /users/{username}/photos`: what one user has published, page by page.
public struct UserPhotosAPI: GalleryHandler {
    /// What the server answers.
    public typealias ResponseDataType = [GalleryModel]

    /// Where the API lives.
    public let environment: GalleryEnvironment
    /// What the server knows the program by.
    public let accessKey: Secret?

    /// Makes the call for one environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `user photos`.
    public var callName: String { "user photos" }

    /// Makes the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from query: UserPhotosQuery) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .userPhotos(username: query.username), query: query)
    }
}
