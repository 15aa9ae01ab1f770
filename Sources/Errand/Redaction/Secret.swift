/// A text that no description prints: a token, a key, a password.
///
/// ```swift
/// let key: Secret = Secret(ProcessInfo.processInfo.environment["ACCESS_KEY"] ?? "")
/// print(key)              // ‹redacted›
/// ```
/// It is not `Codable`, so that it can't slip into a file by synthesis.
public struct Secret: Sendable, Hashable {
    private let value: String

    /// Wraps a text.
    public init(_ value: String) {
        self.value = value
    }

    /// Whether there is nothing to hide.
    public var isEmpty: Bool { value.isEmpty }

    /// The text itself, for the place that must send it.
    public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { Redaction.mask }
    /// The text that is safe to print.
    public var debugDescription: String { Redaction.mask }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
