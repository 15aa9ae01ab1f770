import Errand
import ErrandLoopback

/// The handler of the server in the other process. It responds to the path of a payload with its file, to `/zeros/N`
/// with `N` zeros, to `/held/N` when `N` requests have arrived, to a POST request with the length of its body, and to all other requests with the listing.
enum BenchmarkServer {
    @Sendable static func reply(to request: LoopbackRequest) -> LoopbackReply {
        if request.method == "POST" { return .text("\(request.bodyByteCount)") }
        if let reply = files[request.path] { return reply }
        let parts = request.path.split(separator: "/")
        if parts.count == 2, parts[0] == "zeros", let count = Int(parts[1]) { return zeros(count) }
        if parts.count == 2, parts[0] == "held", let count = Int(parts[1]) {
            return .later {
                await RequestGate.shared.pass(when: count)
                return .text("x")
            }
        }
        return Listing.reply
    }

    private static let files = Dictionary(
        Payload.allCases.map { ("/\($0.file)", file($0)) }, uniquingKeysWith: { first, _ in first })

    /// Not cacheable, so that a session with a cache sends each request.
    private static func file(_ payload: Payload) -> LoopbackReply {
        let reply: LoopbackReply =
            switch payload {
            case .listing: .json(Listing.json)
            case .medium, .large: .data(Data(count: payload.bytes), type: "application/octet-stream")
            }
        return reply.header("Cache-Control", "no-store").header("ETag", #""5e1f-62a0c9b1""#)
    }

    private static func zeros(_ count: Int) -> LoopbackReply {
        let part = Data(count: 65_536)
        return .stream(contentLength: count) { writer in
            var rest = count
            while rest > 0 {
                try await writer.write(part.prefix(rest))
                rest -= min(rest, part.count)
            }
        }
    }
}
