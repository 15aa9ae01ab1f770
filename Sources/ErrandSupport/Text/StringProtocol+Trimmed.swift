package import Foundation

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// This text without such characters around it. Most texts have none, which two bytes tell in a fraction of the time that
    /// the platform's own way takes.
    ///
    /// - Parameter characters: None that is printed and ASCII.
    /// - Returns: What lies between them, which may be nothing.
    package func trimmed(_ characters: @autoclosure () -> CharacterSet = .whitespacesAndNewlines) -> String {
        guard let first = utf8.first, let last = utf8.last else { return "" }
        let isPlain = 0x21...0x7E ~= first && 0x21...0x7E ~= last
        return isPlain ? String(self) : trimmingCharacters(in: characters())
    }
}
