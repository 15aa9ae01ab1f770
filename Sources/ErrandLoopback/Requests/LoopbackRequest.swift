public import Foundation

/// One request as it arrived, complete with its body.
///
/// Nothing is normalised: names, values and the target are what the client wrote.
public struct LoopbackRequest: Sendable {
    /// The HTTP version of a request.
    public struct Version: Sendable, Hashable {
        /// Always 1.
        public let major: Int
        /// 0 or 1 from ordinary clients.
        public let minor: Int

        /// HTTP/1.0, where a connection ends with its reply unless the client asks to keep it.
        public static let http1_0: Self = .init(major: 1, minor: 0)
        /// HTTP/1.1, where a connection is kept unless either side says `Connection: close`.
        public static let http1_1: Self = .init(major: 1, minor: 1)
    }

    /// The method, for example `GET`; methods are case-sensitive.
    public let method: String
    /// What stands between the method and the version: `/a%20b?c`, `http://host/a`, `*` or `host:port`.
    public let target: String
    /// The HTTP version that the client speaks.
    public let version: Version
    /// The bytes of the body; empty when there is none or ``LoopbackServer/BodyPolicy/discard`` is in force.
    public let body: Data
    /// The length of the body in bytes, without chunk framing, also when the body was discarded.
    public let bodyByteCount: Int
    /// The fields after a chunked body.
    public let trailers: [LoopbackField]
    /// Which connection of the server brought the request: 1 for the first one it accepted.
    public let connectionNumber: Int
    /// Which request of its connection this is: 1 for the first, more when the connection is reused.
    public let requestNumber: Int

    private let block: FieldBlock

    package init(_ message: RequestMessage, connectionNumber: Int, requestNumber: Int) {
        method = message.head.method
        target = message.head.target
        version = message.head.version
        block = message.head.fields
        body = message.body
        bodyByteCount = message.bodyByteCount
        trailers = message.trailers
        self.connectionNumber = connectionNumber
        self.requestNumber = requestNumber
    }

    /// The header fields, in the order in which they arrived, duplicates included.
    public var fields: [LoopbackField] { block.all }

    /// The value of the first header field of that name, in any case; `nil` when there is none.
    public subscript(name: String) -> String? { block.first(name) }

    /// The values of all header fields of that name, in any case, in the order in which they arrived.
    public func all(_ name: String) -> [String] { block.values(name) }
}

extension LoopbackRequest: CustomStringConvertible {
    /// The method, the path and where it came from; no query and no fields, which may hold secrets.
    public var description: String {
        "\(method) \(path) (request \(requestNumber) of connection \(connectionNumber))"
    }
}
