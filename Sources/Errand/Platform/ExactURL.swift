extension URL {
    /// Creates a URL from text without percent-encoding it. Returns `nil` if the text has invalid characters.
    ///
    /// In iOS 17 and later, `URL(string:)` encodes such characters. The initializer that does not requires iOS 17.
    package init?(exactly text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            self.init(string: text)
        }
    }
}
