/// What a call cost on the wire: what the session measured, nil where it can't.
///
/// All moments count from when the request left the session's queue for its connection; they are cumulative, as those of
/// libcurl: ``connected`` includes ``nameResolved``. A connection that was used again has the first three at about zero.
public struct TransportMetrics: Sendable, Hashable {
    /// When the host's name had been looked up.
    public var nameResolved: Duration?
    /// When the connection to the server, or to the proxy, stood.
    public var connected: Duration?
    /// When the TLS handshake was done; nil without TLS.
    public var secured: Duration?
    /// When the first byte of the answer came.
    public var firstByte: Duration?
    /// When the last byte had come; nil for a body that is still arriving.
    public var total: Duration?
    /// How long the request waited for a free connection before all that.
    public var queued: Duration?
    /// The bytes of the request's body that were sent.
    public var bytesSent: Int64?
    /// The bytes of the answer's body as they came, before any decoding.
    public var bytesReceived: Int64?
    /// The protocol, by its ALPN name: `http/1.1`, `h2`, `h3`.
    public var protocolName: String?
    /// Whether an open connection was used again.
    public var isConnectionReused: Bool?
    /// The address of the other end, without a port.
    public var remoteAddress: String?

    /// Metrics of nothing measured.
    public init() {}
}
