public import Errand

/// `GET /search/photos`: photos that match a text, page by page.
public struct SearchAPI: GalleryHandler {
    /// What the server answers.
    public typealias ResponseDataType = GallerySearchResult

    /// Where the API lives.
    public let environment: GalleryEnvironment
    /// What the server knows the program by.
    public let accessKey: Secret?

    /// Makes the call for one environment.
    public init(environment: GalleryEnvironment, accessKey: Secret? = nil) {
        self.environment = environment
        self.accessKey = accessKey
    }

    /// The name in messages: `search`.
    public var callName: String { "search" }

    /// Makes the request.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from query: SearchQuery) throws(ServiceError) -> URLRequest {
        try galleryRequest(for: .searchPhotos, query: query)
    }
}
