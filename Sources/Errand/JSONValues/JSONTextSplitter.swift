/// A pure value that splits a body into JSON texts.
package protocol JSONTextSplitter: Sendable {
    /// Adds a chunk. Call it after ``next()`` has returned `nil`.
    mutating func add(_ bytes: Data)
    /// Returns the next complete text, or `nil` if another chunk is needed.
    /// - Throws: ``ServiceError`` if the body is malformed or the text is too large.
    mutating func next() throws(ServiceError) -> JSONText?
    /// Returns the text at the end of the body, or `nil` if there is none.
    /// - Throws: ``ServiceError`` if the body is not complete.
    mutating func last() throws(ServiceError) -> JSONText?
    /// A description of a text, for error messages.
    func name(of text: JSONText) -> String
}

/// A JSON text in a body.
package struct JSONText: Sendable, Hashable {
    /// The bytes, without delimiters.
    package let bytes: Data
    /// The number of the line or of the element, from 1.
    package let number: Int
    /// Whether the text may be truncated (RFC 7464, section 2.4).
    package var isTruncated: Bool = false

    /// Returns the error for a text that exceeds a limit.
    static func tooLarge(_ limit: Int) -> ServiceError {
        ServiceError(
            .bodyTooLarge,
            "expected values of at most \(limit) bytes, found more: set a larger limit for the values of this API call")
    }
}
