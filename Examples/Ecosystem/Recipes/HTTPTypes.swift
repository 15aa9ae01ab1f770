import Errand
import HTTPTypes
import HTTPTypesFoundation

nonisolated extension APIRequest {
    /// Converts a request and adds a body. Returns `nil` if the request has no URL.
    init?(_ request: HTTPRequest, body: RequestBody = .none) {
        guard var head = URLRequest(httpRequest: request) else { return nil }
        head.setValue(nil, forHTTPHeaderField: "Content-Length")  // the session sets it
        self.init(head: head, body: body)
    }
}

nonisolated extension HTTPRequest {
    /// Converts the method, the URL and the headers. Returns `nil` if the request has no URL.
    init?(_ request: APIRequest) {
        guard let request = request.head.httpRequest else { return nil }
        self = request
    }
}

nonisolated extension HTTPResponse {
    /// Converts the status and the headers. Keeps duplicate headers.
    init(_ head: ResponseHead) {
        self.init(status: Status(code: head.status, reasonPhrase: head.reason))
        for header in head.headers {
            if let name = HTTPField.Name(header.name) {
                headerFields.append(HTTPField(name: name, value: header.value))
            }
        }
    }
}
