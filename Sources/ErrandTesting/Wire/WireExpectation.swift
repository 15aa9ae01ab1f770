public import Errand

/// What a correct client may make of the bytes of one answer.
///
/// The rules are those of RFC 9112, sections 6 to 8, and RFC 9110, sections 5 and 8, read strictly. Where they leave a
/// client free, ``freedoms`` names why, and ``answers`` holds each body that it may return then; it may refuse as well.
public struct WireExpectation: Sendable, Hashable {
    /// One answer: a status and the body without its transfer and content codings.
    public struct Answer: Sendable, Hashable {
        /// The status of the final head.
        public let status: Int
        /// The whole body.
        public let body: Data

        /// Makes an answer.
        public init(status: Int, body: Data) {
            self.status = status
            self.body = body
        }
    }

    /// The answers of which a client that does not fail returns one; empty where it has to fail.
    public let answers: [Answer]
    /// Whether failing is wrong, as nothing is unusual about the bytes.
    public let mustSucceed: Bool
    /// Why a client has to fail, nil where it has not.
    public let flaw: String?
    /// What is against the grammar, or left to the client, and does not hide where the body ends.
    public let freedoms: Set<Freedom>
    /// How many bytes belong to the answer; a client must not take those behind them for another one.
    public let length: Int
    /// Whether the answer says itself where it ends, so that its connection may serve another one.
    public let endsByItself: Bool

    /// What is odd about bytes that a client may accept all the same, or refuse.
    public struct Freedom: Sendable, Hashable, CustomStringConvertible {
        /// The reason in words.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

extension WireExpectation.Freedom {
    static let bareLineFeed = Self("a line ends with LF alone (RFC 9112, section 2.2)")
    static let emptyLineFirst = Self("empty lines before the status line")
    static let statusLine = Self("a status line that is not quite one (RFC 9112, section 4)")
    static let version = Self("a version other than 1.0 and 1.1")
    static let status = Self("a status outside 200 to 599 (RFC 9110, section 15)")
    static let lineBeforeFields = Self("white space before the first field (RFC 9112, section 2.2)")
    static let folding = Self("a folded line, to be read as one (RFC 9112, section 5.2)")
    static let noField = Self("a line that is no field, to be ignored")
    static let spacedName = Self("white space before a colon: the field counts or is ignored (RFC 9112, section 5.1)")
    static let control = Self("a control character in a value (RFC 9110, section 5.5)")
    static let repeatedLength = Self("the same Content-Length more than once (RFC 9112, section 6.3)")
    static let lengthBesideCoding = Self("Content-Length beside Transfer-Encoding, which wins (RFC 9112, section 6.3)")
    static let codingIn10 = Self("Transfer-Encoding in HTTP/1.0 (RFC 9112, section 6.1)")
    static let emptyCoding = Self("an empty Transfer-Encoding: it counts as none, or lasts until the close")
    static let oddCoding = Self("a transfer coding given twice, with parameters, or `identity`")
    static let chunkLine = Self("an odd chunk line whose size is plain")
    static let trailers = Self("trailers that are cut off or no fields; the body is whole before them")
    static let unknownCoding = Self("an unknown content coding: the body stays as it is")
    static let emptyCoded = Self("an empty body that claims to be compressed")
    static let garbage = Self("bytes behind the end of a compressed body")
    static let reset = Self("a reset behind the whole answer")
}
