import Errand
import ErrandLoopback

extension APIRequest {
    /// Converts a request that a server received.
    init(_ request: LoopbackRequest) {
        let url = "http://\(request["Host"] ?? "127.0.0.1")\(request.target)"
        var head = URLRequest(url: URL(string: url) ?? URL(filePath: "/"))
        head.httpMethod = request.method
        for header in request.headers { head.addValue(header.value, forHTTPHeaderField: header.name) }
        self.init(head: head, body: request.body.isEmpty ? .none : .data(request.body))
    }
}

extension LoopbackReply {
    /// Converts a canned reply for a real server. Its delays and pauses are ignored.
    init(_ reply: CannedReply) {
        // Computed only when needed, because a body with many chunks can be large.
        var bytes: Data { reply.chunks.count == 1 ? reply.chunks[0] : reply.chunks.reduce(into: Data()) { $0 += $1 } }
        guard let head = reply.head else {
            if case .silence = reply.ending { self = .stall } else { self = .closeWithoutReply }
            return
        }
        var plain: LoopbackReply =
            switch reply.ending {
            case .complete where reply.chunks.count > 1: .chunks(reply.chunks, status: head.status)
            case .complete where bytes.isEmpty: .status(head.status)
            case .complete: .data(bytes, status: head.status)
            // The declared length is one byte longer than the body.
            case .failure: .data(bytes + [0], status: head.status).truncatingBody(after: bytes.count)
            case .silence:
                .stream(contentLength: bytes.count + 1, status: head.status) { writer in
                    try await writer.write(bytes)
                    try await SystemTime.system.sleep(until: SystemTime.system.now + .seconds(3_600))
                }
            }
        for header in head.headers { plain = plain.header(header.name, header.value) }
        self = plain
    }
}
