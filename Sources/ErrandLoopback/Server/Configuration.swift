extension LoopbackServer {
    /// What a server does besides calling its handler.
    public struct Configuration: Sendable, Hashable {
        /// How much the server takes from its clients.
        public var limits: Limits = .init()
        /// What happens to request bodies: they are collected.
        public var bodyPolicy: BodyPolicy = .collect
        /// How many of the latest requests ``LoopbackServer/requests`` keeps: none.
        ///
        /// The oldest are forgotten earlier when the kept bodies exceed 64 MiB together.
        public var recordedRequests: Int = 0
        /// Whether replies carry a `Date` field: no.
        public var sendsDate: Bool = false
        /// The size of the system's send buffer of each connection in bytes: the system's choice (`nil`).
        ///
        /// A small one makes the back-pressure of a slow reader felt early.
        public var sendBufferBytes: Int?

        /// Makes the default configuration.
        public init() {}
    }

    /// What happens to the bytes of request bodies.
    public struct BodyPolicy: Sendable, Hashable {
        private let keepsBytes: Bool

        /// The handler gets the bytes in ``LoopbackRequest/body``.
        public static let collect: Self = .init(keepsBytes: true)
        /// The handler gets only ``LoopbackRequest/bodyByteCount``, so that uploads of any size take no memory.
        public static let discard: Self = .init(keepsBytes: false)

        var collects: Bool { keepsBytes }
    }

    /// What a server has done so far.
    public struct Statistics: Sendable, Hashable {
        /// The connections accepted since the start.
        public internal(set) var acceptedConnections: Int = 0
        /// The connections that are open now.
        public internal(set) var openConnections: Int = 0
        /// The complete requests given to the handler since the start.
        public internal(set) var requests: Int = 0
    }
}
