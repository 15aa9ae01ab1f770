import ErrandSupport

extension Transfer {
    /// The measurements of a transfer that are possible outside the platform.
    struct Account {
        var queued: Duration?
        var began: Duration?
        var firstByte: Duration?
        var ended: Duration?
        var sent: Int64 = 0
        var received: Int64 = 0
    }

    /// The metrics of the transfer so far.
    var metrics: TransportMetrics {
        let (account, head) = state.withLock { ($0.account, $0.head) }
        var metrics = TransportMetrics()
        metrics.queued = account.queued
        if let began = account.began {
            metrics.firstByte = account.firstByte.map { $0 - began }
            metrics.total = account.ended.map { $0 - began }
        }
        // The size of a body that the platform does not count is unknown, as with a `URLProtocol`. It is not zero.
        metrics.bytesSent = account.sent > 0 || request.body == .none ? account.sent : nil
        // The platform decodes a compressed body, and does not report its encoded size.
        let isEncoded = head.map { !ContentCodings($0.headers).names.isEmpty } ?? false
        metrics.bytesReceived = isEncoded ? nil : account.received
        return metrics
    }
}
