/// A connection that carries the bytes of any protocol.
package protocol ByteConnection: AnyObject, Sendable {
    /// Adds bytes to those that will be sent, in order. After the end of the connection, they are discarded.
    func send(_ bytes: Data)

    /// Ends the connection without sending the remaining bytes. ``ByteConnectionEvent/ended(_:)`` follows.
    func close()
}

/// An event of a ``ByteConnection``. Events are delivered one at a time, and never during a call of a method of the connection.
package enum ByteConnectionEvent: Sendable {
    /// The connection is established.
    case opened
    /// Bytes have arrived.
    case received(Data)
    /// The connection could not be established, or has ended. No event follows.
    case ended(ServiceError)
}

/// The peer of a ``ByteConnection``.
package struct ByteConnectionPeer: Sendable {
    /// The TLS settings of a connection.
    package struct TLS: Sendable {
        /// A PEM file with the authorities that may sign the server's certificate. `nil` for those of the system.
        package var authorities: URL?
        /// A PEM file with the client certificate, and one with its key. If ``key`` is `nil`, both are in the same file.
        package var (certificate, key): (URL?, URL?)
        package var keyPassword: Secret?

        package init() {}
    }

    /// A host name or an IP address, without brackets.
    package var host: String
    package var port: Int
    /// The TLS settings, or `nil` for a connection without TLS.
    package var tls: TLS?
    /// The maximum time to establish the connection.
    package var connectTimeout: Duration

    package init(host: String, port: Int, tls: TLS? = nil, connectTimeout: Duration) {
        (self.host, self.port, self.tls, self.connectTimeout) = (host, port, tls, connectTimeout)
    }

    /// The URL of the host and port.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration``.
    package func url() throws(ServiceError) -> URL {
        var parts = URLComponents()
        parts.scheme = tls == nil ? "http" : "https"
        parts.host = host.contains(":") ? "[\(host)]" : host
        parts.port = port
        parts.path = "/"
        guard !host.isEmpty, (1...65_535).contains(port), let url = parts.url, url.host() != nil else {
            throw ServiceError(.configuration, "invalid server address: expected a host and a port from 1 to 65535")
        }
        return url
    }
}
