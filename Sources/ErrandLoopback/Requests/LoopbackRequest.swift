public import Foundation

/// A request as it was received, with its complete body.
///
/// Nothing is normalized: names, values and the target are exactly as the client sent them.
public struct LoopbackRequest: Sendable {
    /// The HTTP version of a request.
    public struct Version: Sendable, Hashable {
        /// The major version. Always 1.
        public let major: Int
        /// The minor version: 0 or 1 from ordinary clients.
        public let minor: Int

        /// HTTP/1.0. A connection closes after the response unless the client asks to keep it open.
        public static let http1_0: Self = .init(major: 1, minor: 0)
        /// HTTP/1.1. A connection stays open unless either side sends `Connection: close`.
        public static let http1_1: Self = .init(major: 1, minor: 1)
    }

    /// The method, such as `GET`. Methods are case-sensitive.
    public let method: String
    /// The request target, such as `/a%20b?c`, `http://host/a`, `*` or `host:port`.
    public let target: String
    /// The HTTP version of the request line.
    public let version: Version
    /// The body. Empty if the request has none or the policy is ``LoopbackServer/BodyPolicy/discard``.
    public let body: Data
    /// The length of the body in bytes, without chunk framing. Also set if the body was discarded.
    public let bodyByteCount: Int
    /// The trailers of a chunked body.
    public let trailers: [LoopbackHeader]
    /// The number of the connection. The first connection that the server accepts has number 1.
    public let connectionNumber: Int
    /// The number of the request on its connection, starting at 1. Greater than 1 if the connection was reused.
    public let requestNumber: Int

    private let block: HeaderBlock

    package init(_ message: RequestMessage, connectionNumber: Int, requestNumber: Int) {
        method = message.head.method
        target = message.head.target
        version = message.head.version
        block = message.head.headers
        body = message.body
        bodyByteCount = message.bodyByteCount
        trailers = message.trailers
        self.connectionNumber = connectionNumber
        self.requestNumber = requestNumber
    }

    /// The headers in the order received, including duplicates.
    public var headers: [LoopbackHeader] { block.all }

    /// The value of the first header with this name, ignoring case, or `nil` if there is none.
    public subscript(name: String) -> String? { block.first(name) }

    /// The values of all headers with this name, ignoring case, in the order received.
    public func all(_ name: String) -> [String] { block.values(name) }
}

extension LoopbackRequest: CustomStringConvertible {
    /// The method, the path, and the connection and request numbers. Omits the query and the headers, which may
    /// contain secrets.
    public var description: String {
        "\(method) \(path) (request \(requestNumber) of connection \(connectionNumber))"
    }
}
