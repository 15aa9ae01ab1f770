package import Errand

/// The results that a correct client may return for the bytes of one response.
///
/// The rules are a strict interpretation of RFC 9112, sections 6 to 8, and RFC 9110, sections 5 and 8. If they leave a
/// choice to the client, ``freedoms`` contains the reasons, and ``responses`` contains every response that the client
/// may return. The client may also fail then.
package struct WireExpectation: Sendable, Hashable {
    /// One response: its status, and its body without transfer and content codings.
    package struct Response: Sendable, Hashable {
        /// The status of the final response.
        package let status: Int
        /// The complete body.
        package let body: Data

        /// Creates a response.
        package init(status: Int, body: Data) {
            self.status = status
            self.body = body
        }
    }

    /// The possible responses. A client that does not fail must return one of them. Empty if the client must fail.
    package let responses: [Response]
    /// Whether the client must not fail, because the bytes are valid.
    package let mustSucceed: Bool
    /// The reason why the client must fail, or `nil` if it may succeed.
    package let flaw: String?
    /// The deviations from the grammar and the choices of the client that leave the end of the body unambiguous.
    package let freedoms: Set<Freedom>
    /// The number of bytes of the response. A client must not parse the bytes after them as another response.
    package let length: Int
    /// Whether the response declares its own end, so that the connection can serve another one.
    package let endsByItself: Bool

    /// A deviation that a client may accept or refuse.
    package struct Freedom: Sendable, Hashable, CustomStringConvertible {
        /// The reason in words.
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

extension WireExpectation.Freedom {
    static let bareLineFeed = Self("a line that ends with LF only (RFC 9112, section 2.2)")
    static let emptyLineFirst = Self("empty lines before the status line")
    static let statusLine = Self("a malformed status line (RFC 9112, section 4)")
    static let version = Self("a version other than 1.0 and 1.1")
    static let status = Self("a status outside 200 to 599 (RFC 9110, section 15)")
    static let blankBeforeHeaders = Self("white space before the first header (RFC 9112, section 2.2)")
    static let folding = Self("a folded line, parsed as one line (RFC 9112, section 5.2)")
    static let malformedHeader = Self("a malformed header line, to be ignored")
    static let spacedName = Self("white space before a colon: the header is used or ignored (RFC 9112, section 5.1)")
    static let control = Self("a control character in a value (RFC 9110, section 5.5)")
    static let repeatedLength = Self("the same Content-Length more than once (RFC 9112, section 6.3)")
    static let lengthBesideCoding = Self(
        "Content-Length and Transfer-Encoding, which takes precedence (RFC 9112, section 6.3)")
    static let codingIn10 = Self("Transfer-Encoding in HTTP/1.0 (RFC 9112, section 6.1)")
    static let emptyCoding = Self("an empty Transfer-Encoding: it is ignored, or the body ends with the connection")
    static let oddCoding = Self("a transfer coding that is repeated, has parameters, or is `identity`")
    static let chunkLine = Self("a malformed chunk line with an unambiguous size")
    static let trailers = Self("truncated or malformed trailers after a complete body")
    static let unknownCoding = Self("an unknown content coding: the body stays encoded")
    static let emptyCoded = Self("an empty body with a content coding")
    static let garbage = Self("bytes after the end of a compressed body")
    static let reset = Self("a reset after the complete response")
}

extension WireExpectation: CustomStringConvertible {
    /// The required or possible results of a client.
    package var description: String {
        if let flaw { return "must fail: \(flaw)" }
        let bodies = responses.map { "\($0.status) with \($0.body.count) bytes" }.joined(separator: ", or ")
        if mustSucceed { return "must succeed: \(bodies)" }
        let reasons = freedoms.map(\.description).sorted().map { " (\($0))" }.joined()
        return "may succeed: \(bodies)\(reasons)"
    }
}
