extension StringProtocol where UTF8View: BidirectionalCollection {
    /// This text without such characters around it. Most texts have none, which two bytes tell; the platform looks letter after
    /// letter up.
    ///
    /// - Parameter characters: None that is printed and ASCII.
    package func trimmed(_ characters: @autoclosure () -> CharacterSet = .whitespacesAndNewlines) -> String {
        guard let first = utf8.first, let last = utf8.last else { return "" }
        let isPlain = 0x21...0x7E ~= first && 0x21...0x7E ~= last
        return isPlain ? String(self) : trimmingCharacters(in: characters())
    }
}
