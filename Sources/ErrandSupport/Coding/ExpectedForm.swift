/// The form that a value was expected to have, as the cause of a `DecodingError`.
package struct ExpectedForm: Error {
    /// The form with its article: `an ISO 8601 date and time`.
    package let words: String
    /// The kind of value that was found, without the value.
    package let found: String?

    package init(words: String, found: String? = nil) {
        (self.words, self.found) = (words, found)
    }
}
