import Errand
import ErrandLoopback

extension APIRequest {
    /// A request as a server saw it.
    init(_ request: LoopbackRequest) {
        let address = "http://\(request["Host"] ?? "127.0.0.1")\(request.target)"
        var head = URLRequest(url: URL(string: address) ?? URL(filePath: "/"))
        head.httpMethod = request.method
        for field in request.fields { head.addValue(field.value, forHTTPHeaderField: field.name) }
        self.init(head: head, body: request.body.isEmpty ? .none : .data(request.body))
    }
}

extension LoopbackReply {
    /// A canned reply over the wire, without its waits.
    init(_ reply: CannedReply) {
        // Not before it is needed: a body in many parts may be large.
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
            // One byte more is announced than comes.
            case .failure: .data(bytes + [0], status: head.status).cuttingBody(after: bytes.count)
            case .silence:
                .stream(contentLength: bytes.count + 1, status: head.status) { writer in
                    try await writer.write(bytes)
                    try await SystemTime.system.sleep(until: SystemTime.system.now + .seconds(3_600))
                }
            }
        for field in head.fields { plain = plain.field(field.name, field.value) }
        self = plain
    }
}
