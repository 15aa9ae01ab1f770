/// An API call as a value. It makes the request and parses the response. ``APILoader`` runs it.
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
    /// The handler of the API call. `nil` if no loader made the request.
    var handler: (any APIHandler)? { caller as? any APIHandler }
}
