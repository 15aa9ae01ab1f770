/// Where text goes: standard output or standard error, or a recording in a test.
package protocol TextStream: Sendable {
    /// Whether a person looks at it.
    var isTerminal: Bool { get }
    /// The columns of a line, as of now: a window may change its size.
    var columns: Int { get }
    /// Writes all of a text.
    /// - Throws: ``StreamClosed`` where nobody reads any longer.
    func write(_ text: String) throws(StreamClosed)
}

/// The other end of a stream is gone: `gallery fetch | head`.
package struct StreamClosed: Error {
    package init() {}
}
