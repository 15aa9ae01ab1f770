public import Foundation

/// Writes the body of a ``LoopbackReply/stream(type:contentLength:trailers:status:_:)`` reply.
public struct LoopbackWriter: Sendable {
    private let pipe: StreamPipe

    init(_ pipe: StreamPipe) {
        self.pipe = pipe
    }

    /// Sends bytes, and waits while more than 64 KiB of the body have not been taken by the system.
    ///
    /// Empty data sends nothing. Several tasks may write; their bytes are not mixed.
    /// - Parameter data: The next bytes of the body.
    /// - Throws: ``LoopbackError`` with code ``LoopbackError/Code/disconnected`` when the client is gone or the
    ///   server stopped, ``LoopbackError/Code/contentLengthExceeded`` when more is written than was declared.
    public func write(_ data: Data) async throws(LoopbackError) {
        try await pipe.write(data)
    }

    /// Sends text as UTF-8, in the way of ``write(_:)-(Data)``.
    ///
    /// - Parameter text: The next part of the body.
    /// - Throws: ``LoopbackError``, as for bytes.
    public func write(_ text: String) async throws(LoopbackError) {
        try await pipe.write(Data(text.utf8))
    }
}
