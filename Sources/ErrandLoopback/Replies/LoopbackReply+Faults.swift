public import Foundation

extension LoopbackReply {
    /// One step of a hand-written reply.
    public enum RawStep: Sendable, Hashable {
        /// Sends these bytes.
        case bytes(Data)
        /// Waits, once everything before has been handed to the system.
        case pause(Duration)
    }

    /// Closes the connection without a byte of a reply.
    public static let closeWithoutReply: Self = .init(.end(.close))

    /// Resets the connection without a byte of a reply.
    public static let reset: Self = .init(.end(.reset))

    /// Never answers: the connection stays open until the client closes it or the server stops.
    public static let stall: Self = .init(.stall)

    /// Sends these bytes and nothing else.
    ///
    /// - Parameters:
    ///   - data: All bytes of the reply, head included.
    ///   - ending: How the connection ends after them; `nil` keeps it for the next request.
    /// - Returns: A reply to return from a handler.
    public static func raw(_ data: Data, then ending: Ending? = .close) -> Self {
        .init(.raw([.bytes(data)], then: ending))
    }

    /// Sends this text as UTF-8 and nothing else.
    ///
    /// - Parameters:
    ///   - text: All of the reply, head included; line ends are not changed.
    ///   - ending: How the connection ends after it; `nil` keeps it for the next request.
    /// - Returns: A reply to return from a handler.
    public static func raw(_ text: String, then ending: Ending? = .close) -> Self {
        .raw(Data(text.utf8), then: ending)
    }

    /// Sends bytes with pauses between them, and nothing else.
    ///
    /// - Parameters:
    ///   - steps: What to send and where to wait.
    ///   - ending: How the connection ends after them; `nil` keeps it for the next request.
    /// - Returns: A reply to return from a handler.
    public static func raw(_ steps: [RawStep], then ending: Ending? = .close) -> Self {
        .init(.raw(steps, then: ending))
    }

    /// This reply, broken off after the first bytes of its head; all of the head, when it has no more.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes are sent; less than 0 counts as 0.
    ///   - ending: How the connection ends then.
    /// - Returns: The reply with this fault.
    public func cuttingHead(after bytes: Int, then ending: Ending = .close) -> Self {
        cut(Cut(countsFromBody: false, bytes: max(bytes, 0), ending: ending))
    }

    /// This reply, broken off after the first bytes of its body; its head still announces all of it.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes are sent after the head, chunk framing included; less than 0 counts as 0.
    ///   - ending: How the connection ends then.
    /// - Returns: The reply with this fault.
    public func cuttingBody(after bytes: Int, then ending: Ending = .close) -> Self {
        cut(Cut(countsFromBody: true, bytes: max(bytes, 0), ending: ending))
    }

    /// This reply in drips: so many bytes at a time, head and body alike, with a pause after each.
    ///
    /// - Parameters:
    ///   - bytesPerStep: How many bytes are sent at a time; less than 1 counts as 1.
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
