public import Errand

/// An API call of the gallery: the environment, the access key and the validation of responses.
///
/// To add an API call, declare its request and its response type:
/// ```swift
/// struct NewestPhotoAPI: GalleryHandler {
///     typealias ResponseDataType = [GalleryModel]
///     let environment: GalleryEnvironment
///     let accessKey: Secret?
///
///     func makeRequest(from data: Void) throws -> URLRequest {
///         try galleryRequest(for: .photos, query: GalleryQuery(perPage: 1))
///     }
/// }
/// ```
/// The access key is sent only to the environment's origin.
public protocol GalleryHandler<RequestDataType, ResponseDataType>: APIHandler
where Environment == GalleryEnvironment {
    /// The access key. If `nil` or empty, requests have no `Authorization` header.
    var accessKey: Secret? { get }
}

extension GalleryHandler {
    /// Accepts status 2xx. For other statuses, ``/Errand/ServiceError/serverError`` is an ``UnsplashError`` with the
    /// server's messages.
    public var validators: [ResponseValidator] { [.serverError(UnsplashError.self), .status()] }

    /// Returns a GET request for a path of the API.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``.
    public func galleryRequest(for path: GalleryPath) throws(ServiceError) -> URLRequest {
        try request(for: try environment.url(for: path))
    }

    /// Returns a GET request for a path of the API with a query.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` or
    ///   ``/Errand/ServiceError/Code/encoding``.
    public func galleryRequest(for path: GalleryPath, query: some Encodable & SendableMetatype) throws(ServiceError)
        -> URLRequest
    {
        var request = try galleryRequest(for: path)
        try setQueryParams(query, on: &request)
        return request
    }

    /// Returns a GET request for a URL from a response, such as a link or a JSON member. Its path and query are
    /// unchanged.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the URL is not on the
    ///   environment's origin and below its base path. The key is never sent to such a URL.
    public func galleryRequest(to address: URL) throws(ServiceError) -> URLRequest {
        try environment.checkOwn(address)
        return try request(for: address)
    }

    private func request(for url: URL) throws(ServiceError) -> URLRequest {
        var request = URLRequest(url: url)
        setDefaultHeaders(on: &request)
        if let accessKey, !accessKey.isEmpty {
            try setHeaders(["Authorization": "Client-ID \(accessKey.reveal())"], on: &request)
        }
        return request
    }
}

extension GalleryHandler where ResponseDataType: Decodable {
    /// Decodes the JSON body.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/decoding``.
    public func parseResponse(data: Data, head: ResponseHead) throws(ServiceError) -> ResponseDataType {
        try defaultParseResponse(data: data, head: head)
    }
}
