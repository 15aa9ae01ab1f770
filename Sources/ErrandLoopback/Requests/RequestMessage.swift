import Foundation

/// A request's head, taken apart and checked.
struct RequestHead: Sendable {
    enum BodyFraming: Equatable, Sendable {
        case none
        case fixed(Int)
        case chunked
    }

    let method: String
    let target: String
    let version: LoopbackRequest.Version
    let fields: FieldBlock
    let framing: BodyFraming
    /// Whether the client lets the connection live on after the reply.
    let keepsAlive: Bool
    let expectsContinue: Bool
}

/// A whole request, as the parser hands it out.
package struct RequestMessage: Sendable {
    let head: RequestHead
    let body: Data
    let bodyByteCount: Int
    let trailers: [LoopbackField]
}

/// Why a request is refused: the status of the reply after which the connection is closed.
package struct Rejection: Error, Hashable {
    package let status: Int

    static let badRequest: Self = .init(status: 400)
    static let bodyTooLarge: Self = .init(status: 413)
    static let expectationFailed: Self = .init(status: 417)
    static let headTooLarge: Self = .init(status: 431)
    static let unknownCoding: Self = .init(status: 501)
    static let unknownVersion: Self = .init(status: 505)
}
