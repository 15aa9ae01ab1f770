import ErrandSupport

/// The way in which the header section determines the length of a response's body (RFC 9112, section 6.3).
///
/// The chunks of a chunked body are decoded and checked by libcurl or by `URLSession`. `CurlFailure` and
/// `TransportFailure` map their errors.
package enum MessageFraming: Sendable, Equatable {
    /// The response has no body, regardless of its headers.
    case none
    /// The body has a fixed number of bytes.
    case length(Int64)
    /// The body consists of chunks and ends with an empty one.
    case chunked
    /// The body ends when the connection or the stream is closed.
    case untilClose

    /// Determines the framing of a response.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` if the headers contradict each other. Such a
    ///   response may hide a second one (response splitting).
    package init(_ head: MessageHead, method: HTTPMethod) throws(ServiceError) {
        try self.init(status: head.status, head.headers, method: method)
    }

    /// Determines the framing from the status, the headers and the method of the request.
    /// - Throws: ``ServiceError``, as ``init(_:method:)`` does.
    package init(status: Int, _ headers: HeaderFields, method: HTTPMethod) throws(ServiceError) {
        var codings: [String] = []
        var lengths: [String] = []
        for header in headers {
            if header.isNamed("Content-Length") { lengths.append(header.value) }
            if header.isNamed("Transfer-Encoding") { codings.append(header.value) }
        }
        let length = try Self.length(lengths)
        if method == .head || status == 204 || status == 304 || (100..<200).contains(status) {
            self = .none
        } else if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw ServiceError(.badResponse, "expected a Content-Length or a Transfer-Encoding, found both")
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
            throw ServiceError(.connectionLost, "expected a body of \(length) bytes (Content-Length), found \(count)")
        }
    }

    /// Returns whether the announced length is greater than `count` bytes.
    func announces(moreThan count: some BinaryInteger) -> Bool {
        if case .length(let length) = self { length > Int64(count) } else { false }
    }

    /// The framing of a transfer coding: `chunked`, or `identity` alone.
    ///
    /// `identity` meant the absence of a coding in RFC 2616 (section 3.6), and was removed by RFC 7230
    /// (appendix A.2). In RFC 9112, a body with any last coding except `chunked` ends when the connection is closed
    /// (section 6.3). Without a `Content-Length`, these RFCs and libcurl agree on the end of the body. With one, they
    /// do not, so the response is rejected.
    private static func coding(_ lines: [String]) throws(ServiceError) -> MessageFraming {
        switch lines.map({ $0.lowercased() }) {
        case ["chunked"]: return .chunked
        case ["identity"]: return .untilClose
        default: throw ServiceError(.badResponse, "unsupported Transfer-Encoding: expected chunked")
        }
    }

    /// Returns the length that all `Content-Length` headers agree on, or `nil` without such a header.
    private static func length(_ lines: [String]) throws(ServiceError) -> Int64? {
        var length: Int64?
        for line in lines {
            let number = try line.utf8.contains(UInt8(ascii: ",")) ? Self.length(inList: line) : Self.number(line)
            guard length == nil || length == number else {
                throw ServiceError(.badResponse, "expected one Content-Length, found two different values")
            }
            length = number
        }
        return length
    }

    /// Parses several headers that an intermediary has combined into a list.
    private static func length(inList list: String) throws(ServiceError) -> Int64? {
        try length(
            list.split(separator: ",", omittingEmptySubsequences: false).map { part in
                String(part.drop { $0 == " " || $0 == "\t" })
            })
    }

    private static func number(_ digits: String) throws(ServiceError) -> Int64 {
        guard digits.utf8.allSatisfy(\.isDigit), let number = Int64(digits) else {
            throw ServiceError(.badResponse, "invalid Content-Length: expected a number of bytes")
        }
        return number
    }
}
