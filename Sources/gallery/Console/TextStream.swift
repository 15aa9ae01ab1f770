/// Where text goes: standard output or standard error, or a recording in a test.
package protocol TextStream: Sendable {
    /// Whether a person looks at it.
    var isTerminal: Bool { get }
    /// The columns of a line, as of now: a window may change its size.
    var columns: Int { get }
    /// Writes all of a text.
    /// - Throws: ``StreamClosed`` where nobody reads any longer, or the text can't be written.
    func write(_ text: String) throws(StreamClosed)
}

/// A stream takes no more.
package struct StreamClosed: Error {
    /// Why; nil where the reader has gone: `gallery fetch | head`.
    package let reason: String?

    package init(reason: String? = nil) {
        self.reason = reason
    }
}
