import Errand

extension APIRequest {
    /// The query's items, decoded, in their order.
    var queryItems: [URLQueryItem] {
        head.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
    }
}
