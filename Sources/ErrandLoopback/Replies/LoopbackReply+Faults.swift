public import Foundation

extension LoopbackReply {
    /// One step of a raw response.
    public enum RawStep: Sendable, Hashable {
        /// Sends these bytes.
        case bytes(Data)
        /// Waits after all previous bytes have been handed to the system.
        case pause(Duration)
    }

    /// Closes the connection without sending any bytes.
    public static let closeWithoutReply: Self = .init(.end(.close))

    /// Resets the connection without sending any bytes.
    public static let reset: Self = .init(.end(.reset))

    /// Never responds. The connection stays open until the client closes it or the server stops.
    public static let stall: Self = .init(.stall)

    /// Sends these bytes and nothing else.
    ///
    /// - Parameters:
    ///   - data: All bytes of the response, including the status line and the headers.
    ///   - ending: How the connection ends after the bytes. If `nil`, it stays open for the next request.
    /// - Returns: A reply to return from a handler.
    public static func raw(_ data: Data, then ending: Ending? = .close) -> Self {
        .init(.raw([.bytes(data)], then: ending))
    }

    /// Sends this text as UTF-8 and nothing else.
    ///
    /// - Parameters:
    ///   - text: The complete response, including the status line and the headers. Line endings are not changed.
    ///   - ending: How the connection ends after the text. If `nil`, it stays open for the next request.
    /// - Returns: A reply to return from a handler.
    public static func raw(_ text: String, then ending: Ending? = .close) -> Self {
        .raw(Data(text.utf8), then: ending)
    }

    /// Sends bytes with pauses between them and nothing else.
    ///
    /// - Parameters:
    ///   - steps: The bytes to send and the pauses between them, in order.
    ///   - ending: How the connection ends after the last step. If `nil`, it stays open for the next request.
    /// - Returns: A reply to return from a handler.
    public static func raw(_ steps: [RawStep], then ending: Ending? = .close) -> Self {
        .init(.raw(steps, then: ending))
    }

    /// A copy of this reply that is truncated within its header section. A larger limit also sends bytes of the body.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes to send. Negative values count as 0.
    ///   - ending: How the connection ends after these bytes.
    /// - Returns: The reply with this fault.
    public func truncatingHeaders(after bytes: Int, then ending: Ending = .close) -> Self {
        cut(Cut(countsFromBody: false, bytes: max(bytes, 0), ending: ending))
    }

    /// A copy of this reply that is truncated within its body. The headers still announce the complete body.
    ///
    /// - Parameters:
    ///   - bytes: The number of body bytes to send, including chunk framing. Negative values count as 0.
    ///   - ending: How the connection ends after these bytes.
    /// - Returns: The reply with this fault.
    public func truncatingBody(after bytes: Int, then ending: Ending = .close) -> Self {
        cut(Cut(countsFromBody: true, bytes: max(bytes, 0), ending: ending))
    }

    /// A copy of this reply that is sent slowly: header section and body in small steps, with a pause after each.
    ///
    /// - Parameters:
    ///   - bytesPerStep: The number of bytes in a step. Values below 1 count as 1.
    ///   - interval: The time between two steps, rounded up to milliseconds.
    /// - Returns: The reply at this pace.
    public func slow(bytesPerStep: Int = 1, interval: Duration) -> Self {
        var copy = self
        copy.pace = Pace(bytesPerStep: max(bytesPerStep, 1), interval: interval)
        return copy
    }

    private func cut(_ cut: Cut) -> Self {
        var copy = self
        copy.cut = cut
        return copy
    }
}
