/// A text output: standard output, standard error, or a recording in a test.
package protocol TextStream: Sendable {
    /// Whether the stream is a terminal.
    var isTerminal: Bool { get }
    /// The current number of columns. It changes with the size of the window.
    var columns: Int { get }
    /// Writes a complete text.
    /// - Throws: ``StreamClosed`` if the reader is gone or the text can't be written.
    func write(_ text: String) throws(StreamClosed)
}

/// The error of a stream that can't be written to.
package struct StreamClosed: Error {
    /// The reason, or `nil` if the reader is gone, as in `gallery fetch | head`.
    package let reason: String?

    package init(reason: String? = nil) {
        self.reason = reason
    }
}
