extension URL {
    /// Makes a URL of text and never percent-encodes it. `nil` if the text has characters that a URL may not hold.
    ///
    /// `URL(string:)` encodes such characters from iOS 17 on. The form that does not needs iOS 17.
    package init?(exactly text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            self.init(string: text)
        }
    }
}
