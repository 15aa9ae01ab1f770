import Errand

/// A fetch as the protocol describes it: every status is an answer, and the body is bytes.
struct FetchCall: APIHandler {
    var validators: [ResponseValidator] { [] }

    /// The library's own default where the line names no mode.
    func options(for fields: OrderedJSON) -> RequestOptions {
        var options = RequestOptions()
        if let mode = fields["redirect"]?.string.flatMap(RedirectInterceptor.Policy.Mode.init(rawValue:)) {
            options.redirects.mode = mode
        }
        return options
    }

    func makeRequest(from fields: OrderedJSON) throws -> URLRequest {
        guard let url = URL(string: fields["url"]?.string ?? "") else {
            throw ServiceError(.encoding, "the url can't be read")
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
