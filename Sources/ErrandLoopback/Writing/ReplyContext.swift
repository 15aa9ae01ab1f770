/// The properties of a request and of the server that affect the response.
package struct ReplyContext: Sendable {
    package var isHead = false
    package var version: LoopbackRequest.Version = .http1_1
    /// Whether the client allows the connection to stay open.
    package var keepsAlive = true
    /// The value of the `Date` header, or `nil` to send none.
    package var date: String?

    package init() {}

    init(_ head: RequestHead, date: String?) {
        isHead = head.method == "HEAD"
        version = head.version
        keepsAlive = head.keepsAlive
        self.date = date
    }
}
