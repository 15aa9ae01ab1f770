/// A request method (RFC 9110, section 9). Methods are case-sensitive.
///
/// The type is not named `Method`, which is a type of the Objective-C runtime on Apple platforms.
public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// The token of the method, such as `GET`.
    public let rawValue: String

    /// Creates a method from its token. A request with an invalid token is rejected when it is sent.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The token of the method.
    public var description: String { rawValue }

    /// Retrieves the resource. Safe (RFC 9110, section 9.3.1).
    public static let get: Self = .init("GET")
    /// Retrieves only the header section. Safe (section 9.3.2).
    public static let head: Self = .init("HEAD")
    /// Asks the server to process the body (section 9.3.3).
    public static let post: Self = .init("POST")
    /// Queries the resource with the body, as in a search. Safe and idempotent (draft-ietf-httpbis-safe-method-w-body).
    ///
    /// It is retried like GET. Requests with the same body may share a response. A 303 is followed with GET, other
    /// redirects with QUERY and the body. Servers need a `Content-Type`.
    public static let query: Self = .init("QUERY")
    /// Replaces the resource. Idempotent (section 9.3.4).
    public static let put: Self = .init("PUT")
    /// Changes a part of the resource (RFC 5789).
    public static let patch: Self = .init("PATCH")
    /// Removes the resource. Idempotent (section 9.3.5).
    public static let delete: Self = .init("DELETE")
    /// Requests the communication options of the resource. Safe (section 9.3.7).
    public static let options: Self = .init("OPTIONS")
}

extension HTTPMethod {
    /// Whether the method is safe: it only retrieves data (RFC 9110, section 9.2.1).
    public var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(rawValue) }

    /// Whether repeated requests have the same effect as one (section 9.2.2).
    public var isIdempotent: Bool { isSafe || rawValue == "PUT" || rawValue == "DELETE" }
}
