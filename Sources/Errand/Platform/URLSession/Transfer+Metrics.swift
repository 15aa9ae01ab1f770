import ErrandSupport

extension Transfer {
    /// What can be seen of a transfer's cost from outside the platform.
    struct Account {
        var queued: Duration?
        var began: Duration?
        var firstByte: Duration?
        var ended: Duration?
        var sent: Int64 = 0
        var received: Int64 = 0
    }

    /// What the transfer has cost so far.
    var metrics: TransportMetrics {
        let (account, head) = state.withLock { ($0.account, $0.head) }
        var metrics = TransportMetrics()
        metrics.queued = account.queued
        if let began = account.began {
            metrics.firstByte = account.firstByte.map { $0 - began }
            metrics.total = account.ended.map { $0 - began }
        }
        // A body that nobody counted, as of a request that a `URLProtocol` answers, is unknown, not empty.
        metrics.bytesSent = account.sent > 0 || request.body == .none ? account.sent : nil
        // The platform decodes what was compressed, and says nothing of its size before.
        let isEncoded = head.map { !ContentCodings($0.fields).names.isEmpty } ?? false
        metrics.bytesReceived = isEncoded ? nil : account.received
        return metrics
    }
}
