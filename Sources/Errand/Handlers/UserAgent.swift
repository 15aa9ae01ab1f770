import ErrandSupport

/// A program's name and version for the `User-Agent` field (RFC 9110, section 10.1.5).
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The program's name, characters that a token can't hold left out; `unknown` where none is left.
    public let product: String
    /// The program's version, likewise.
    public let version: String
    /// The platform, `Linux` for example.
    public let platform: String

    /// The name of the operating system, such as `Linux` or `iOS`.
    public static var platformName: String { Platform.name }

    /// Names a program.
    public init(product: String, version: String, platform: String = platformName) {
        self.product = Self.token(product)
        self.version = Self.token(version)
        self.platform = Self.token(platform)
    }

    private static func token(_ text: String) -> String {
        let token = text.filter { String($0).isToken }
        return token.isEmpty ? "unknown" : token
    }

    /// This library.
    public static let errand: UserAgent = UserAgent(product: "Errand", version: "0.1.0")

    /// The text that is safe to print.
    public var description: String { "\(product)/\(version) (\(platform))" }
}

/// The languages that the user prefers, as the `Accept-Language` field lists them (RFC 9110, section 12.5.4).
package enum AcceptLanguage {
    /// Read once: the system's list does not change while a program runs.
    package static let ofUser: String = value(for: Locale.preferredLanguages)

    /// At most six languages, each less wanted than the one before it.
    package static func value(for languages: [String]) -> String {
        let tags = languages.map { $0.replacingOccurrences(of: "_", with: "-") }
            .filter {
                $0.utf8.allSatisfy { UInt8(ascii: "-") == $0 || String(UnicodeScalar($0)).isToken } && !$0.isEmpty
            }
            .prefix(6)
        guard !tags.isEmpty else { return "en" }
        return tags.enumerated().map { $0.offset == 0 ? $0.element : "\($0.element);q=0.\(10 - $0.offset)" }
            .joined(separator: ", ")
    }
}
