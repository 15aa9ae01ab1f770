extension LoopbackServer {
    /// How much the server takes from its clients; a request beyond a limit is refused and its connection closed.
    public struct Limits: Sendable, Hashable {
        /// The length of the request line and the fields together, in bytes: 65,536. Beyond it the reply is 431.
        ///
        /// Trailers have the same limit.
        public var headBytes: Int = 65_536
        /// The length of a body in bytes, without chunk framing: 67,108,864. Beyond it the reply is 413.
        ///
        /// It holds for bodies that are discarded, too.
        public var bodyBytes: Int = 67_108_864
        /// The number of connections open at a time: 1,024. Further clients wait in the system's queue.
        public var openConnections: Int = 1024
        /// How long a connection may bring no byte while a request, or the rest of one, is due: for ever (`nil`).
        public var idleTime: Duration?

        /// Makes the default limits.
        public init() {}
    }
}
