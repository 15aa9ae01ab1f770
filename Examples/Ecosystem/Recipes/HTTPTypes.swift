import Errand
import HTTPTypes
import HTTPTypesFoundation

nonisolated extension APIRequest {
    /// The request with this body. `nil` if the request has no URL.
    init?(_ request: HTTPRequest, body: RequestBody = .none) {
        guard var head = URLRequest(httpRequest: request) else { return nil }
        head.setValue(nil, forHTTPHeaderField: "Content-Length")  // the session sets it
        self.init(head: head, body: body)
    }
}

nonisolated extension HTTPRequest {
    /// The method, the URL and the headers. `nil` if the request has no URL.
    init?(_ request: APIRequest) {
        guard let request = request.head.httpRequest else { return nil }
        self = request
    }
}

nonisolated extension HTTPResponse {
    /// The status and the headers. Duplicates stay.
    init(_ head: ResponseHead) {
        self.init(status: Status(code: head.status, reasonPhrase: head.reason))
        for field in head.fields {
            if let name = HTTPField.Name(field.name) {
                headerFields.append(HTTPField(name: name, value: field.value))
            }
        }
    }
}
