/// The measurements of a session for one request. A value is `nil` if the session cannot measure it.
///
/// All times start when the request leaves the session's queue for its connection. They are cumulative, as in
/// libcurl: ``connected`` includes ``nameResolved``. For a reused connection, the first three are about zero.
public struct TransportMetrics: Sendable, Hashable {
    /// The time until the host name was resolved.
    public var nameResolved: Duration?
    /// The time until the connection to the server or the proxy was established.
    public var connected: Duration?
    /// The time until the TLS handshake was complete. `nil` without TLS.
    public var secured: Duration?
    /// The time until the first byte of the response was received.
    public var firstByte: Duration?
    /// The time until the last byte was received. `nil` if the body is not complete yet.
    public var total: Duration?
    /// The time in the queue until a connection was available. The other times start after it.
    public var queued: Duration?
    /// The number of bytes of the request body that were sent.
    public var bytesSent: Int64?
    /// The number of bytes of the response body that were received, before decoding.
    public var bytesReceived: Int64?
    /// The ALPN name of the protocol: `http/1.1`, `h2` or `h3`.
    public var protocolName: String?
    /// Whether the request reused an open connection.
    public var isConnectionReused: Bool?
    /// The IP address of the server or the proxy, without a port.
    public var remoteAddress: String?

    /// Creates metrics without values.
    public init() {}
}
