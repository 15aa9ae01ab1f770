public import Errand

/// What the calls of the gallery's API share: where it lives, the access key, and how it refuses.
///
/// A call of your own says what it sends and what it gets:
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
/// The access key goes to the environment's own origin only.
public protocol GalleryHandler<RequestDataType, ResponseDataType>: APIHandler
where Environment == GalleryEnvironment {
    /// What the server knows the program by; nil where it asks for none.
    var accessKey: Secret? { get }
}

extension GalleryHandler {
    /// 2xx only; a refusal holds the server's sentences as ``UnsplashError`` in
    /// ``/Errand/ServiceError/serverError``.
    public var validators: [ResponseValidator] { [.serverError(UnsplashError.self), .status()] }

    /// A GET request for one of the API's paths.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``.
    public func galleryRequest(for path: GalleryPath) throws(ServiceError) -> URLRequest {
        try request(for: try environment.url(for: path))
    }

    /// A GET request for one of the API's paths with a query.
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

    /// A GET request for an address that the server sent: a link's or a field's, path and query exactly as they are.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` where the address is not on the
    ///   environment's own origin and below its route: no key goes there.
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
    /// Reads the JSON body.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/decoding``.
    public func parseResponse(data: Data, response: HTTPURLResponse) throws(ServiceError) -> ResponseDataType {
        try defaultParseResponse(data: data, response: response)
    }
}
