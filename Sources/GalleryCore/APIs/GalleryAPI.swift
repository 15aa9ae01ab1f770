public import Errand

/// `GET /photos`: the editors' list, page by page.
///
/// ```swift
/// let photos = try await APILoader(GalleryAPI(environment: .production, accessKey: key)).load(GalleryQuery(page: 2))
/// ```
public struct GalleryAPI: GalleryHandler {
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

    /// The name in messages: `photos`.
    public var callName: String { "photos" }

    /// Makes the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from query: GalleryQuery) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .photos, query: query)
    }
}
