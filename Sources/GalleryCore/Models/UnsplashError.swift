public import Errand
import ErrandSupport

/// The body of an error response: one or more messages.
///
/// It is the ``/Errand/ServiceError/serverError`` of a failed API call.
/// ```swift
/// catch { print((error.serverError as? UnsplashError)?.errors ?? []) }
/// ```
public struct UnsplashError: Error, Sendable, Hashable, Codable {
    /// The messages, as sent by the server.
    public var errors: [String]

    /// Creates an error from its messages, for test servers.
    public init(errors: [String]) {
        self.errors = errors
    }
}

extension UnsplashError: CustomStringConvertible {
    /// The messages on one line, safe to print.
    public var description: String { errors.joined(separator: "; ").singleLine() }
}

extension UnsplashError: LocalizedError {
    /// The messages as one text.
    public var errorDescription: String? { errors.joined(separator: " ") }
}
