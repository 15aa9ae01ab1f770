extension LoopbackServer {
    /// The limits, recording and header options of a server.
    public struct Configuration: Sendable, Hashable {
        /// The limits for requests and connections.
        public var limits: Limits = .init()
        /// How request bodies are handled. The default is ``BodyPolicy/collect``.
        public var bodyPolicy: BodyPolicy = .collect
        /// The maximum number of recent requests in ``LoopbackServer/requests``. The default is 0.
        ///
        /// The oldest requests are removed earlier if the recorded bodies together exceed 64 MiB.
        public var recordedRequests: Int = 0
        /// Whether responses have a `Date` header. The default is `false`.
        public var sendsDate: Bool = false
        /// The size of each connection's send buffer in bytes. If `nil` (the default), the system chooses it.
        ///
        /// With a small buffer, a slow reader causes back-pressure early.
        public var sendBufferBytes: Int?

        /// Creates the default configuration.
        public init() {}
    }

    /// How a server handles the bytes of request bodies.
    public struct BodyPolicy: Sendable, Hashable {
        private let keepsBytes: Bool

        /// The handler gets the bytes in ``LoopbackRequest/body``.
        public static let collect: Self = .init(keepsBytes: true)
        /// The handler gets only ``LoopbackRequest/bodyByteCount``, so that uploads of any size use no memory.
        public static let discard: Self = .init(keepsBytes: false)

        var collects: Bool { keepsBytes }
    }

    /// Counters of a server.
    public struct Statistics: Sendable, Hashable {
        /// The number of connections accepted since the start.
        public internal(set) var acceptedConnections: Int = 0
        /// The number of open connections.
        public internal(set) var openConnections: Int = 0
        /// The number of complete requests passed to the handler since the start.
        public internal(set) var requests: Int = 0
    }
}
