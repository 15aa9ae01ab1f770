extension LoopbackServer {
    /// The limits for requests and connections. A request over a limit is refused and its connection is closed.
    public struct Limits: Sendable, Hashable {
        /// The maximum length of the request line and the headers together, in bytes. The default is 65,536. A longer
        /// header section is refused with 431.
        ///
        /// Trailer sections have the same limit.
        public var headerBytes: Int = 65_536
        /// The maximum length of a body in bytes, without chunk framing. The default is 67,108,864. A longer body is
        /// refused with 413.
        ///
        /// The limit also applies to discarded bodies.
        public var bodyBytes: Int = 67_108_864
        /// The maximum number of open connections. The default is 1,024. Further clients wait in the system's queue.
        public var openConnections: Int = 1024
        /// The maximum time without incoming bytes while the server waits for a request or its remaining bytes. If
        /// `nil` (the default), the time is unlimited.
        public var idleTimeout: Duration?

        /// Creates the default limits.
        public init() {}
    }
}
