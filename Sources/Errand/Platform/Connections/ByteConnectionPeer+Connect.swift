extension ByteConnectionPeer {
    /// Starts to establish a connection.
    /// - Parameter handle: Handles an event. Called on a thread of the connection.
    /// - Returns: The connection.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration``.
    package func connect(
        _ handle: @escaping @Sendable (ByteConnectionEvent) -> Void
    ) throws(ServiceError) -> any ByteConnection {
        #if os(Linux)
            try CurlConnection(to: self, handle)
        #else
            try NetworkConnection(to: self, handle)
        #endif
    }
}
