import ErrandSupport

/// The value of a `User-Agent` header: a program's name, version and platform (RFC 9110, section 10.1.5).
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The program's name, without characters that a token can't contain. `unknown` if no character remains.
    public let product: String
    /// The program's version, without characters that a token can't contain. `unknown` if no character remains.
    public let version: String
    /// The platform, such as `Linux`. Characters are removed as from ``product``.
    public let platform: String

    /// The name of the operating system, such as `Linux` or `iOS`.
    public static var platformName: String { Platform.name }

    /// Creates the value for a program.
    public init(product: String, version: String, platform: String = platformName) {
        self.product = Self.token(product)
        self.version = Self.token(version)
        self.platform = Self.token(platform)
    }

    private static func token(_ text: String) -> String {
        let token = text.filter { String($0).isToken }
        return token.isEmpty ? "unknown" : token
    }

    /// The value for this library.
    public static let errand: UserAgent = UserAgent(product: "Errand", version: "0.1.0")

    /// The value of the header.
    public var description: String { "\(product)/\(version) (\(platform))" }
}

/// The user's preferred languages as an `Accept-Language` header (RFC 9110, section 12.5.4).
package enum AcceptLanguage {
    /// The header value for the user's languages. Computed once, because the system's list does not change while a
    /// program runs.
    package static let ofUser: String = value(for: Locale.preferredLanguages)

    /// Returns a header value with at most six languages, in order of decreasing quality.
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
