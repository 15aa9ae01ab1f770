/// A request method (RFC 9110, section 9); case matters.
///
/// Named so because `Method` is a type of the Objective-C runtime on Apple platforms.
public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// The method's token, such as `GET`.
    public let rawValue: String

    /// Makes a method of its token; sending refuses what is not a token.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The text that is safe to print.
    public var description: String { rawValue }

    /// Reads; safe (RFC 9110, section 9.3.1).
    public static let get: Self = .init("GET")
    /// Reads the head alone; safe (section 9.3.2).
    public static let head: Self = .init("HEAD")
    /// Has the server process the body (section 9.3.3).
    public static let post: Self = .init("POST")
    /// Queries the resource with the body, as in a search. Safe and idempotent (draft-ietf-httpbis-safe-method-w-body).
    ///
    /// It is retried like GET. Requests with the same body may share a response. A 303 is followed with GET, other
    /// redirects with QUERY and the body. Servers need a `Content-Type`.
    public static let query: Self = .init("QUERY")
    /// Replaces the resource; idempotent (section 9.3.4).
    public static let put: Self = .init("PUT")
    /// Changes the resource in part (RFC 5789).
    public static let patch: Self = .init("PATCH")
    /// Removes the resource; idempotent (section 9.3.5).
    public static let delete: Self = .init("DELETE")
    /// Asks what can be done; safe (section 9.3.7).
    public static let options: Self = .init("OPTIONS")
}

extension HTTPMethod {
    /// Whether it only reads (RFC 9110, section 9.2.1).
    public var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(rawValue) }

    /// Whether doing it twice is as good as once (section 9.2.2).
    public var isIdempotent: Bool { isSafe || rawValue == "PUT" || rawValue == "DELETE" }
}
