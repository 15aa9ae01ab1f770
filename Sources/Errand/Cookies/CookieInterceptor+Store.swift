extension CookieInterceptor {
    /// A cookie storage. ``CookieInterceptor`` reads it before each request and updates it after each response.
    ///
    /// ``CookieJar`` stores cookies in memory. A custom store, such as one that writes to a file, is called from
    /// several tasks at once, and must return quickly.
    public protocol Store: Sendable {
        /// Returns the value of the `Cookie` header for a request to a URL: `a=1; b=2`, or `nil` if no cookie matches
        /// (RFC 6265, section 5.4).
        ///
        /// - Parameters:
        ///   - url: The request's URL.
        ///   - date: The time of the request, on its own clock.
        /// - Returns: The header's value.
        func cookies(for url: URL, at date: Date) -> String?

        /// Stores the cookies of a response (RFC 6265, section 5.3).
        ///
        /// - Parameters:
        ///   - lines: The values of its `Set-Cookie` headers, in order.
        ///   - url: The URL of the response.
        ///   - date: The time of the response, on the clock of its request.
        func save(_ lines: [String], from url: URL, at date: Date)
    }
}
