/// What a session gives back: every status, 4xx and 5xx included; only a handler's validators refuse one.
public struct APIResponse: Sendable {
    /// Status and fields.
    public var head: ResponseHead
    /// The body.
    public var body: ResponseBody

    /// Makes a response, for sessions and layers of your own.
    public init(head: ResponseHead, body: ResponseBody = ResponseBody()) {
        self.head = head
        self.body = body
    }
}
