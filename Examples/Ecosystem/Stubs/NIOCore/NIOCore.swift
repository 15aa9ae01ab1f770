// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-nio 2.101.3: https://github.com/apple/swift-nio/tree/2.101.3/Sources/NIOCore
// (ByteBuffer-core.swift, ByteBuffer-aux.swift, ByteBuffer-views.swift, EventLoop.swift, TimeAmount+Duration.swift).
// Only the declarations that the recipes use.

public struct ByteBuffer: Sendable, Hashable {
    private let bytes: [UInt8]

    public init<Bytes: Sequence>(bytes: Bytes) where Bytes.Element == UInt8 {
        self.bytes = Array(bytes)
    }

    public var readableBytesView: ByteBufferView { ByteBufferView(bytes: bytes) }
}

public struct ByteBufferView: RandomAccessCollection, Sendable {
    fileprivate let bytes: [UInt8]

    public var startIndex: Int { bytes.startIndex }
    public var endIndex: Int { bytes.endIndex }
    public subscript(position: Int) -> UInt8 { bytes[position] }
}

public struct TimeAmount: Hashable, Sendable {
    public let nanoseconds: Int64

    public init(_ duration: Swift.Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
