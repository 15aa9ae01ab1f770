import ErrandSupport
import Foundation

/// The serialized status line and headers of a response, and the framing of its body.
package struct ReplyPlan: Sendable {
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    package private(set) var head: [UInt8] = []
    /// Whether a body follows the header section.
    let sendsBody: Bool
    let framing: Framing
    /// Whether the connection closes after the response.
    package let closes: Bool

    package init(_ reply: LoopbackReply, in context: ReplyContext) {
        let forbidsBody = reply.status < 200 || reply.status == 204 || reply.status == 304
        framing = forbidsBody ? .none : Self.framing(of: reply.body, version: context.version)
        sendsBody = !forbidsBody && !context.isHead
        let given = GivenHeaders(reply.headers)
        closes =
            reply.closesConnection || given.saysClose || !context.keepsAlive
            || sendsBody && (framing == .untilClose || given.contradicts(framing))
        head.reserveCapacity(256)
        appendStatusLine(reply.status, reply.reason)
        for header in reply.headers { append(header) }
        appendOwnHeaders(given, context)
        head.appendLineEnd()
    }

    /// The header section of an interim response.
    init(interim: LoopbackReply.Interim) {
        framing = .none
        sendsBody = false
        closes = false
        appendStatusLine(interim.status, nil)
        for header in interim.headers { append(header) }
        head.appendLineEnd()
    }

    private static func framing(of body: LoopbackReply.Body, version: LoopbackRequest.Version) -> Framing {
        let unknown: Framing = version == .http1_0 ? .untilClose : .chunked
        return switch body {
        case .none: .length(0)
        case .data(let data): .length(data.count)
        case .chunks: unknown
        case .stream(let stream): stream.contentLength.map { .length($0) } ?? unknown
        }
    }

    private mutating func appendStatusLine(_ status: Int, _ reason: String?) {
        head.append(contentsOf: "HTTP/1.1 ".utf8)
        head.append(decimal: status)
        head.append(.space)
        head.appendHeaderText(reason ?? reasonPhrase(status))
        head.appendLineEnd()
    }

    private mutating func append(_ header: LoopbackHeader) {
        head.append(header: header)
    }

    private mutating func appendOwnHeaders(_ given: GivenHeaders, _ context: ReplyContext) {
        if let date = context.date, !given.hasDate { append(LoopbackHeader("Date", date)) }
        if !given.hasFraming {
            switch framing {
            case .none, .untilClose: break
            case .length(let length):
                head.append(contentsOf: "Content-Length: ".utf8)
                head.append(decimal: length)
                head.appendLineEnd()
            case .chunked: head.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
            }
        }
        guard !given.hasConnection else { return }
        if closes {
            head.append(contentsOf: "Connection: close\r\n".utf8)
        } else if context.version == .http1_0 {
            head.append(contentsOf: "Connection: keep-alive\r\n".utf8)
        }
    }
}

/// The headers with a server default that the reply sets itself.
private struct GivenHeaders {
    private(set) var hasDate = false
    private(set) var hasConnection = false
    private(set) var saysClose = false
    private var lengths: [String] = []
    private var codings: [String] = []

    init(_ headers: [LoopbackHeader]) {
        for header in headers {
            switch header.name.utf8.count {
            case 4 where header.name.isSameHeaderName(as: "Date"): hasDate = true
            case 10 where header.name.isSameHeaderName(as: "Connection"):
                hasConnection = true
                saysClose = saysClose || header.value.lowercased().contains("close")
            case 14 where header.name.isSameHeaderName(as: "Content-Length"): lengths.append(header.value)
            case 17 where header.name.isSameHeaderName(as: "Transfer-Encoding"): codings.append(header.value)
            default: break
            }
        }
    }

    var hasFraming: Bool { !lengths.isEmpty || !codings.isEmpty }

    /// Whether the reply's own headers announce an end of the body that differs from the framing used.
    func contradicts(_ framing: ReplyPlan.Framing) -> Bool {
        guard hasFraming else { return false }
        return switch framing {
        case .length(let length): !codings.isEmpty || lengths != [String(length)]
        case .chunked: !lengths.isEmpty || codings != ["chunked"]
        case .none, .untilClose: true
        }
    }
}
