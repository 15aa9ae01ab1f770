public import Errand

/// `GET /search/photos`: photos that match a text, page by page.
public struct SearchAPI: GalleryHandler {
    /// The decoded response.
    public typealias ResponseDataType = GallerySearchResult

    /// The environment of the API.
    public let environment: GalleryEnvironment
    /// The access key. If `nil` or empty, requests have no `Authorization` header.
    public let accessKey: Secret?

    /// Creates the API call for an environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `search`.
    public var callName: String { "search" }

    /// Returns the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from query: SearchQuery) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .searchPhotos, query: query)
    }
}
