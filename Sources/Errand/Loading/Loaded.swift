/// A loaded value together with the head of the answer that it came from.
///
/// ```swift
/// let page = try await loader.response(query)
/// let remaining = page.head.fields["X-Ratelimit-Remaining"]
/// ```
public struct Loaded<Value: Sendable>: Sendable {
    /// What the handler made of the answer.
    public let value: Value
    /// Status and fields of the answer.
    public let head: ResponseHead
    /// What happened on the way, and why.
    public let trail: Trail

    /// Puts them together, for test doubles.
    public init(value: Value, head: ResponseHead, trail: Trail = Trail()) {
        self.value = value
        self.head = head
        self.trail = trail
    }
}
