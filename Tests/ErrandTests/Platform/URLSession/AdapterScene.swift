import Errand
import ErrandLoopback

/// Runs a body with its own server and session, so that tests do not share connections.
func withServer(
    _ handler: @escaping LoopbackServer.Handler, _ body: (LoopbackServer, URLSession) async throws -> Void
) async throws {
    let session = URLSession(configuration: .ephemeral)
    try await LoopbackServer.withServer(handler) { try await body($0, session) }
}

func request(
    _ server: LoopbackServer, _ path: String = "/", _ method: String = "GET", body: String? = nil,
    _ configure: (inout RequestOptions) -> Void = { _ in }
) -> APIRequest {
    var head = URLRequest(url: server.url.appending(path: path))
    head.httpMethod = method
    var options = RequestOptions()
    configure(&options)
    return APIRequest(head: head, body: body.map { .data(Data($0.utf8)) } ?? .none, options: options)
}
