public import Errand

/// `GET /photos/{id}`: one photo with all of its fields, by its identifier.
public struct PhotoAPI: GalleryHandler {
    /// What the server answers.
    public typealias ResponseDataType = GalleryModel

    /// Where the API lives.
    public let environment: GalleryEnvironment
    /// What the server knows the program by.
    public let accessKey: Secret?

    /// Makes the call for one environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `photo`.
    public var callName: String { "photo" }

    /// Makes the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from id: String) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .photo(id: id))
    }
}
