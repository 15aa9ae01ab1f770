import Foundation

/// The parsed and validated request line and headers of a request.
struct RequestHead: Sendable {
    enum BodyFraming: Equatable, Sendable {
        case none
        case fixed(Int)
        case chunked
    }

    let method: String
    let target: String
    let version: LoopbackRequest.Version
    let headers: HeaderBlock
    let framing: BodyFraming
    /// Whether the client allows the connection to stay open after the response.
    let keepsAlive: Bool
    let expectsContinue: Bool
}

/// A complete request, as produced by the parser.
package struct RequestMessage: Sendable {
    let head: RequestHead
    let body: Data
    let bodyByteCount: Int
    let trailers: [LoopbackHeader]
}

/// The reason for refusing a request: the status of the response, after which the connection is closed.
package struct Rejection: Error, Hashable {
    package let status: Int

    static let badRequest: Self = .init(status: 400)
    static let bodyTooLarge: Self = .init(status: 413)
    static let expectationFailed: Self = .init(status: 417)
    static let headTooLarge: Self = .init(status: 431)
    static let unknownCoding: Self = .init(status: 501)
    static let unknownVersion: Self = .init(status: 505)
}
