import Foundation

/// The server's response to a request: an ordinary response, one that is created asynchronously, or a fault.
///
/// ```swift
/// .json(#"[{"id":"1"}]"#).header("Link", #"</photos?page=2>; rel="next""#)
/// ```
///
/// The framing depends on the body. A known length is sent as `Content-Length`. Any other body is chunked, or ends
/// with the connection for an HTTP/1.0 client. A `Content-Length`, `Transfer-Encoding`, `Connection` or `Date` header
/// that is set here replaces the server's own header. A response to HEAD, or with status 1xx, 204 or 304, never has a
/// body. The response to HEAD keeps the headers that describe the body.
public struct LoopbackReply: Sendable {
    /// The status code. The default is 200.
    public var status: Int
    /// The reason phrase. If `nil`, the registered phrase is sent.
    public var reason: String?
    /// The headers, sent in this order.
    public var headers: [LoopbackHeader]

    var body: Body
    var course: Course = .response
    var interim: [Interim] = []
    var closesConnection = false
    var cut: Cut?
    var pace: Pace?

    init(status: Int = 200, reason: String? = nil, headers: [LoopbackHeader] = [], body: Body = .none) {
        self.status = status
        self.reason = reason
        self.headers = headers
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
        /// An orderly close: the client reads an end of file after the last byte.
        case close
        /// A TCP reset: the client's next call fails, and bytes in transit to it may be lost.
        case reset
    }

    enum Body: Sendable {
        case none
        case data(Data)
        case chunks([Data], trailers: [LoopbackHeader])
        case stream(Stream)
    }

    struct Stream: Sendable {
        let contentLength: Int?
        let trailers: [LoopbackHeader]
        let produce: @Sendable (LoopbackWriter) async throws -> Void
    }

    enum Course: Sendable {
        case response
        case later(@Sendable () async -> LoopbackReply)
        case raw([RawStep], then: Ending?)
        case end(Ending)
        case stall
    }

    struct Interim: Sendable {
        let status: Int
        let headers: [LoopbackHeader]
    }

    /// The byte limit at which a response is truncated.
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
