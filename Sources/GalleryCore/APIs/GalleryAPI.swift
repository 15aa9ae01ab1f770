public import Errand

/// `GET /photos`: the editorial list, page by page.
///
/// ```swift
/// let photos = try await APILoader(GalleryAPI(environment: .production, accessKey: key)).load(GalleryQuery(page: 2))
/// ```
public struct GalleryAPI: GalleryHandler {
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

    /// The name in messages: `photos`.
    public var callName: String { "photos" }

    /// Returns the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from query: GalleryQuery) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .photos, query: query)
    }
}
