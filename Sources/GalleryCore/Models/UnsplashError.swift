public import Errand
import ErrandSupport

/// What the server says when it refuses a call: one sentence or more.
///
/// It is the ``/Errand/ServiceError/serverError`` of a refused call.
/// ```swift
/// catch { print((error.serverError as? UnsplashError)?.errors ?? []) }
/// ```
public struct UnsplashError: Error, Sendable, Hashable, Codable {
    /// The sentences, as the server sent them.
    public var errors: [String]

    /// Makes an error of its sentences, for servers in tests.
    public init(errors: [String]) {
        self.errors = errors
    }
}

extension UnsplashError: CustomStringConvertible {
    /// The sentences on one line, safe to print.
    public var description: String { errors.joined(separator: "; ").singleLine() }
}

extension UnsplashError: LocalizedError {
    /// The sentences as one text.
    public var errorDescription: String? { errors.joined(separator: " ") }
}
