// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of async-http-client 1.33.1:
// https://github.com/swift-server/async-http-client/tree/1.33.1/Sources/AsyncHTTPClient
// (HTTPClient.swift, AsyncAwait/HTTPClientRequest.swift, AsyncAwait/HTTPClientResponse.swift,
// AsyncAwait/HTTPClient+execute.swift). Only the declarations that the recipes and their tests use.

public import NIOCore
public import NIOHTTP1

public final class HTTPClient: Sendable {
    package typealias Peer = @Sendable (HTTPClientRequest, TimeAmount) async throws -> HTTPClientResponse

    private let peer: Peer

    package init(_ peer: @escaping Peer) {
        self.peer = peer
    }

    public func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        try await peer(request, timeout)
    }
}

public struct HTTPClientRequest: Sendable {
    public var url: String
    public var method: HTTPMethod = .GET
    public var headers: HTTPHeaders = HTTPHeaders()
    public var body: Body?

    public init(url: String) {
        self.url = url
    }

    public struct Body: Sendable {
        package let length: Length
        package let chunks: @Sendable () -> () async throws -> ByteBuffer?

        public static func stream<SequenceOfBytes: AsyncSequence & Sendable>(
            _ sequenceOfBytes: SequenceOfBytes, length: Length
        ) -> Self where SequenceOfBytes.Element == ByteBuffer {
            Body(length: length) {
                var iterator = sequenceOfBytes.makeAsyncIterator()
                return { try await iterator.next() }
            }
        }

        public struct Length: Sendable {
            package let count: Int64?

            public static let unknown: Self = Length(count: nil)
            public static func known(_ count: Int64) -> Self { Length(count: count) }
        }
    }
}

public struct HTTPClientResponse: Sendable {
    public var status: HTTPResponseStatus
    public var headers: HTTPHeaders
    public var body: Body

    public init(status: HTTPResponseStatus = .ok, headers: HTTPHeaders = HTTPHeaders(), body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public struct Body: AsyncSequence, Sendable {
        public typealias Element = ByteBuffer

        private let buffer: ByteBuffer

        public static func bytes(_ byteBuffer: ByteBuffer) -> Self { Body(buffer: byteBuffer) }

        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var buffer: ByteBuffer?

            public mutating func next() async throws -> ByteBuffer? { buffer.take() }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
    }
}

public struct HTTPClientError: Error, Equatable {
    public let shortDescription: String

    public static let readTimeout = HTTPClientError(shortDescription: "Read timeout")
    public static let writeTimeout = HTTPClientError(shortDescription: "Write timeout")
    public static let deadlineExceeded = HTTPClientError(shortDescription: "Deadline exceeded")
    public static let connectTimeout = HTTPClientError(shortDescription: "Connect timeout")
    public static let tlsHandshakeTimeout = HTTPClientError(shortDescription: "TLS handshake timeout")
    public static let remoteConnectionClosed = HTTPClientError(shortDescription: "Remote connection closed")
    public static let cancelled = HTTPClientError(shortDescription: "Cancelled")
}
