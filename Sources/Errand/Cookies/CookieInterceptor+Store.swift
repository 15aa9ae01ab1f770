extension CookieInterceptor {
    /// Where cookies are kept: what ``CookieInterceptor`` asks before each request, and tells after each answer.
    ///
    /// ``CookieJar`` is one, in memory. One of your own, say one that writes to a file, is asked from many tasks at once,
    /// and must not take long.
    public protocol Store: Sendable {
        /// The value of the `Cookie` header for a request to a URL: `a=1; b=2`, or `nil` if nothing is to be sent (RFC 6265,
        /// section 5.4).
        ///
        /// - Parameters:
        ///   - url: The request's URL.
        ///   - date: The time of the request, on its own clock.
        /// - Returns: The header's value.
        func cookies(for url: URL, at date: Date) -> String?

        /// Takes what an answer from an address wants kept (RFC 6265, section 5.3).
        ///
        /// - Parameters:
        ///   - lines: The values of its `Set-Cookie` fields, one for each line, in their order.
        ///   - url: Where the answer came from.
        ///   - date: The time of the response, on the clock of its request.
        func take(_ lines: [String], from url: URL, at date: Date)
    }
}
