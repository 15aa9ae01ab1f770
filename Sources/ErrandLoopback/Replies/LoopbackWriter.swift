public import Foundation

/// Writes the body of a ``LoopbackReply/stream(type:contentLength:trailers:status:_:)`` reply.
public struct LoopbackWriter: Sendable {
    private let pipe: StreamPipe

    init(_ pipe: StreamPipe) {
        self.pipe = pipe
    }

    /// Sends bytes, and waits while more than 64 KiB of the body have not been handed to the system.
    ///
    /// Empty data sends nothing. Several tasks may write concurrently: the bytes of one write stay together.
    /// - Parameter data: The next bytes of the body.
    /// - Throws: ``LoopbackError`` with code ``LoopbackError/Code/disconnected`` if the client disconnected or the
    ///   server stopped, and ``LoopbackError/Code/contentLengthExceeded`` if the body exceeds its declared length.
    public func write(_ data: Data) async throws(LoopbackError) {
        try await pipe.write(data)
    }

    /// Sends text as UTF-8. Waits like ``write(_:)-(Data)``.
    ///
    /// - Parameter text: The next text of the body.
    /// - Throws: ``LoopbackError``, like the method for bytes.
    public func write(_ text: String) async throws(LoopbackError) {
        try await pipe.write(Data(text.utf8))
    }
}
