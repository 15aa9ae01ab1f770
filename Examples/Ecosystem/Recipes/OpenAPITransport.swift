import Errand
import HTTPTypes
import OpenAPIRuntime

/// Sends the requests of a generated OpenAPI client through any session, with its interceptors.
struct ErrandTransport: ClientTransport {
    let session: any APISession

    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let base = baseURL.absoluteString
        guard let url = URL(string: (base.hasSuffix("/") ? "\(base.dropLast())" : base) + (request.path ?? "/")) else {
            throw ServiceError(.encoding, "\(operationID): expected a path that can be added to the server URL")
        }
        var head = URLRequest(url: url)
        head.httpMethod = request.method.rawValue
        for field in request.headerFields where field.name != .contentLength {  // the session sets it
            head.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        var outgoing = APIRequest(head: head, body: body.map(RequestBody.init) ?? .none)
        outgoing.options.delivery = .streamed
        let response = try await session.send(outgoing)
        let chunks = response.body.map { ArraySlice($0) }
        return (HTTPResponse(response.head), HTTPBody(chunks, length: .unknown, iterationBehavior: .single))
    }
}

nonisolated extension RequestBody {
    fileprivate init(_ body: HTTPBody) {
        let length: Int64? = if case .known(let count) = body.length { count } else { nil }
        let chunks = body.map { Data($0) }
        switch body.iterationBehavior {
        case .multiple: self = .stream(length: length) { chunks }
        case .single: self = .stream(once: chunks, length: length)
        }
    }
}
