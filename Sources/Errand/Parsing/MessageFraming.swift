import ErrandSupport

/// The way in which the header section determines the length of a response's body (RFC 9112, section 6.3).
///
/// The chunks of a chunked body are decoded and checked by libcurl or by `URLSession`. `CurlFailure` and `TransportFailure` map
/// their errors.
package enum MessageFraming: Sendable, Equatable {
    /// There is none, whatever the fields say.
    case none
    /// So many bytes.
    case length(Int64)
    /// Chunks, the last of which is empty.
    case chunked
    /// All that comes until the connection, or the stream, is closed.
    case untilClose

    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` where the fields contradict each other: such an
    ///   answer may be two in disguise.
    package init(_ head: MessageHead, method: HTTPMethod) throws(ServiceError) {
        try self.init(status: head.status, head.fields, method: method)
    }

    /// - Throws: As ``init(_:method:)``.
    package init(status: Int, _ fields: HeaderFields, method: HTTPMethod) throws(ServiceError) {
        var codings: [String] = []
        var lengths: [String] = []
        for field in fields {
            if field.isNamed("Content-Length") { lengths.append(field.value) }
            if field.isNamed("Transfer-Encoding") { codings.append(field.value) }
        }
        let length = try Self.length(lengths)
        if method == .head || status == 204 || status == 304 || (100..<200).contains(status) {
            self = .none
        } else if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw ServiceError(.badResponse, "the answer has both a Content-Length and a Transfer-Encoding")
            }
            self = try Self.coding(codings)
        } else if let length {
            self = .length(length)
        } else {
            self = .untilClose
        }
    }

    /// Checks that a complete body has the announced length.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/connectionLost``.
    package func check(count: some BinaryInteger) throws(ServiceError) {
        if case .length(let length) = self, length != Int64(count) {
            throw ServiceError(.connectionLost, "the body has \(count) bytes, not the \(length) announced")
        }
    }

    /// Whether a body with this number of bytes is shorter than announced.
    func announces(moreThan count: some BinaryInteger) -> Bool {
        if case .length(let length) = self { length > Int64(count) } else { false }
    }

    /// The framing of a transfer coding: `chunked`, or `identity` alone.
    ///
    /// `identity` was no coding at all in RFC 2616 (section 3.6), and was removed by RFC 7230 (appendix A.2). RFC 9112 has
    /// any last coding but `chunked` last until the connection is closed (section 6.3). Without a Content-Length all of
    /// them, and libcurl, find the same end. With one they do not, so that it is refused.
    private static func coding(_ lines: [String]) throws(ServiceError) -> MessageFraming {
        switch lines.map({ $0.lowercased() }) {
        case ["chunked"]: return .chunked
        case ["identity"]: return .untilClose
        default: throw ServiceError(.badResponse, "unsupported Transfer-Encoding: expected chunked")
        }
    }

    /// The one length that all lines agree on; nil where there is none.
    private static func length(_ lines: [String]) throws(ServiceError) -> Int64? {
        var length: Int64?
        for line in lines {
            let number = try line.utf8.contains(UInt8(ascii: ",")) ? Self.length(inList: line) : Self.number(line)
            guard length == nil || length == number else {
                throw ServiceError(.badResponse, "the answer has two different Content-Lengths")
            }
            length = number
        }
        return length
    }

    /// Several lines that somebody on the way made one of.
    private static func length(inList list: String) throws(ServiceError) -> Int64? {
        try length(
            list.split(separator: ",", omittingEmptySubsequences: false).map { part in
                String(part.drop { $0 == " " || $0 == "\t" })
            })
    }

    private static func number(_ digits: String) throws(ServiceError) -> Int64 {
        guard digits.utf8.allSatisfy(\.isDigit), let number = Int64(digits) else {
            throw ServiceError(.badResponse, "the Content-Length is not a number")
        }
        return number
    }
}
