import AsyncHTTPClient
import Errand
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests with async-http-client. Create the client with `redirectConfiguration = .disallow` and the idle
/// timeout as `timeout.read`, and add a `RedirectInterceptor`.
struct AsyncHTTPClientSession: APISession {
    let client: HTTPClient

    func send(_ request: APIRequest) async throws -> APIResponse {
        let outgoing = try HTTPClientRequest(request)
        let time = request.options.deadline?.remaining ?? .seconds(86_400)
        do {
            let response = try await client.execute(outgoing, timeout: TimeAmount(max(.zero, time)))
            let headers = HeaderFields(response.headers.map { HeaderFields.Field($0.name, $0.value) })
            let url = request.url ?? URL(filePath: "/")
            let head = ResponseHead(status: Int(response.status.code), headers: headers, url: url)
            let body = ResponseBody(stream: response.body.map { Data($0.readableBytesView) })
            guard case .buffered(let limit) = request.options.delivery else {
                return APIResponse(head: head, body: body)
            }
            return APIResponse(head: head, body: ResponseBody(try await body.collect(upTo: limit)))
        } catch {
            throw serviceError(error)
        }
    }
}

nonisolated extension HTTPClientRequest {
    fileprivate init(_ request: APIRequest) throws {
        try request.checkSendable()
        self.init(url: request.url?.absoluteString ?? "")
        method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        for header in request.headers { headers.add(name: header.name, value: header.value) }
        guard request.body != .none else { return }
        let length = try request.body.length().map { Body.Length.known($0) } ?? .unknown
        body = .stream(request.body.chunks.map { ByteBuffer(bytes: $0) }, length: length)
    }
}

/// Adds the error code that callers and retries evaluate.
nonisolated private func serviceError(_ error: any Error) -> any Error {
    let cause = (error as? ServiceError)?.underlying ?? error
    let code: ServiceError.Code
    switch cause as? HTTPClientError {
    case .cancelled?: return CancellationError()
    case .readTimeout?, .writeTimeout?, .deadlineExceeded?: code = .timeout
    case .connectTimeout?, .tlsHandshakeTimeout?: code = .connection
    case .remoteConnectionClosed?: code = .connectionLost
    case nil where cause is NIOConnectionError: code = .connection
    default: return error
    }
    return ServiceError(code, "async-http-client: \(cause)", underlying: cause)
}
