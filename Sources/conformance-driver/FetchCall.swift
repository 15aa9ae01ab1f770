import Errand

/// A fetch of the driver's protocol. The body is bytes.
struct FetchCall: APIHandler {
    /// Whether only 2xx is accepted. By default, every status is a response.
    var validatesStatus = false
    /// Whether a request with any method may be sent again.
    var isRepeatable = false

    var validators: [ResponseValidator] { validatesStatus ? [.status()] : [] }

    /// Returns the options of a request. The default redirect mode is the library's.
    func options(for fields: OrderedJSON) -> RequestOptions {
        var options = RequestOptions()
        if isRepeatable { options.idempotency = .always }
        options.cacheMode = fields["cache"]?.string.flatMap(CacheMode.init(rawValue:))
        if let mode = fields["redirect"]?.string.flatMap(RedirectInterceptor.Policy.Mode.init(rawValue:)) {
            options.redirects.mode = mode
        }
        return options
    }

    func makeRequest(from fields: OrderedJSON) throws -> URLRequest {
        guard let url = URL(string: fields["url"]?.string ?? "") else {
            throw ServiceError(.encoding, "invalid url: expected a URL")
        }
        var request = URLRequest(url: url)
        request.httpMethod = fields["method"]?.string ?? "GET"
        let pairs = (fields["headers"]?.elements ?? []).compactMap(\.elements)
        try setHeaders(
            HeaderFields(pairs.map { HeaderFields.Field($0.first?.string ?? "", $0.dropFirst().first?.string ?? "") }),
            on: &request)
        request.httpBody = fields["body"]?.string.map { Data($0.utf8) }
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) -> Data { data }
}
