/// One API call as a value: it makes the request and reads the answer. ``APILoader`` runs it.
///
/// ```swift
/// struct GalleryAPI: APIHandler {
///     let environment: GalleryEnvironment
///
///     func makeRequest(from query: GalleryQuery) throws -> URLRequest {
///         var request = URLRequest(url: try environment.url(for: .photos))
///         try setQueryParams(query, on: &request)
///         setDefaultHeaders(on: &request)
///         return request
///     }
///
///     func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Photo] {
///         try defaultParseResponse(data: data, response: response)
///     }
/// }
/// ```
public protocol APIHandler<RequestDataType, ResponseDataType>: RequestHandler, ResponseHandler {}

extension RequestOptions {
    /// The handler of the call. `nil` for a request that no loader made.
    var handler: (any APIHandler)? { caller as? any APIHandler }
}
