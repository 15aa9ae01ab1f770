/// A loaded value with the header section of its response.
///
/// ```swift
/// let page = try await loader.response(query)
/// let remaining = page.head.headers["X-Ratelimit-Remaining"]
/// ```
public struct Loaded<Value: Sendable>: Sendable {
    /// The value that the handler parsed.
    public let value: Value
    /// The status and headers of the response.
    public let head: ResponseHead
    /// The events and attempts of the API call, with their reasons.
    public let trail: Trail

    /// The entity tag and the date of the last change, for a later conditional request. May be empty.
    public var validators: ResourceValidators { head.validators }

    /// The age of the response if a ``CacheInterceptor`` had stored it, or `nil` if it came from the server.
    public var cacheAge: Duration? { head.cacheAge }

    /// Creates a loaded value, for test doubles.
    public init(value: Value, head: ResponseHead, trail: Trail = Trail()) {
        self.value = value
        self.head = head
        self.trail = trail
    }
}
