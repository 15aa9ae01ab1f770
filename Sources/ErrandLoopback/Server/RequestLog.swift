/// The recent requests, limited by their number and by the total size of their bodies.
package struct RequestLog {
    private static let bodyBytesKept = 1 << 26

    private let limit: Int
    private var kept: [LoopbackRequest] = []
    private var start = 0
    private var bodyBytes = 0

    package init(limit: Int) {
        self.limit = max(limit, 0)
    }

    package var requests: [LoopbackRequest] { Array(kept[start...]) }

    package mutating func add(_ request: LoopbackRequest) {
        guard limit > 0 else { return }
        kept.append(request)
        bodyBytes += request.body.count
        while kept.count - start > limit || bodyBytes > Self.bodyBytesKept && start < kept.count {
            bodyBytes -= kept[start].body.count
            start += 1
        }
        if start > kept.count / 2 {
            kept.removeSubrange(..<start)
            start = 0
        }
    }
}
