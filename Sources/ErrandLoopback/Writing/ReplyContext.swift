/// What a reply depends on besides itself.
package struct ReplyContext: Sendable {
    package var isHead = false
    package var version: LoopbackRequest.Version = .http1_1
    /// Whether the client lets the connection live on.
    package var keepsAlive = true
    /// The value of the `Date` field, if one is to be sent.
    package var date: String?

    package init() {}

    init(_ head: RequestHead, date: String?) {
        isHead = head.method == "HEAD"
        version = head.version
        keepsAlive = head.keepsAlive
        self.date = date
    }
}
