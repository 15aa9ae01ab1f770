/// A text that no description prints: a token, a key, a password.
///
/// ```swift
/// let key: Secret = Secret(ProcessInfo.processInfo.environment["ACCESS_KEY"] ?? "")
/// print(key)              // ‹redacted›
/// ```
/// It is not `Codable`, so that synthesized code cannot write it to a file.
public struct Secret: Sendable, Hashable {
    private let value: String

    /// Creates a secret from a text.
    public init(_ value: String) {
        self.value = value
    }

    /// Whether the text is empty.
    public var isEmpty: Bool { value.isEmpty }

    /// Returns the text, for code that must send it.
    public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { Redaction.mask }
    /// The text that is safe to print.
    public var debugDescription: String { Redaction.mask }
    /// An empty mirror: reflection shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
