public import Errand

/// `GET /photos/random`: a photo that the server chooses.
public struct RandomPhotoAPI: GalleryHandler {
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

    /// The name in messages: `random photo`.
    public var callName: String { "random photo" }

    /// Makes the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from query: RandomPhotoQuery) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .randomPhoto, query: query)
    }
}
