import Foundation

/// What the server answers a request with: an ordinary reply, one that is made later, or a fault.
///
/// ```swift
/// .json(#"[{"id":"1"}]"#).field("Link", #"</photos?page=2>; rel="next""#)
/// ```
///
/// The framing follows the body: a known length is announced with `Content-Length`, any other body is chunked (or
/// ends with the connection for an HTTP/1.0 client). `Content-Length`, `Transfer-Encoding`, `Connection` and `Date`
/// are sent as they are given here, in place of the server's own. A reply to HEAD, and one with status 1xx, 204 or
/// 304, never carries its body; the reply to HEAD keeps the fields that describe it.
public struct LoopbackReply: Sendable {
    /// The status code: 200 unless the builder says otherwise.
    public var status: Int
    /// The reason phrase; `nil` sends the registered one.
    public var reason: String?
    /// The header fields, sent in this order.
    public var fields: [LoopbackField]

    var body: Body
    var course: Course = .answer
    var interim: [Interim] = []
    var closesConnection = false
    var cut: Cut?
    var pace: Pace?

    init(status: Int = 200, reason: String? = nil, fields: [LoopbackField] = [], body: Body = .none) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.body = body
    }

    init(_ course: Course) {
        self.init()
        self.course = course
    }
}

extension LoopbackReply {
    /// How a connection ends.
    public enum Ending: Sendable, Hashable {
        /// Orderly: the client reads an end of file after the last byte.
        case close
        /// With a TCP reset: the client's next call fails, and bytes on their way to it may be lost.
        case reset
    }

    enum Body: Sendable {
        case none
        case data(Data)
        case chunks([Data], trailers: [LoopbackField])
        case stream(Stream)
    }

    struct Stream: Sendable {
        let contentLength: Int?
        let trailers: [LoopbackField]
        let produce: @Sendable (LoopbackWriter) async throws -> Void
    }

    enum Course: Sendable {
        case answer
        case later(@Sendable () async -> LoopbackReply)
        case raw([RawStep], then: Ending?)
        case end(Ending)
        case stall
    }

    struct Interim: Sendable {
        let status: Int
        let fields: [LoopbackField]
    }

    /// Where a reply is broken off.
    struct Cut: Sendable {
        let countsFromBody: Bool
        let bytes: Int
        let ending: Ending
    }

    struct Pace: Sendable, Equatable {
        let bytesPerStep: Int
        let interval: Duration
    }
}
