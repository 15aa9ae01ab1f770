extension URLSessionConfiguration {
    /// A copy under the rules that make `URLSession` on Linux safe to use and cheap.
    ///
    /// A cache there crashes the process when a task is cancelled early; cookie handling costs a third of a request and
    /// ignores path and `Secure`; stored credentials lead to endless challenges.
    func hardened() -> URLSessionConfiguration {
        let copy = (self.copy() as? URLSessionConfiguration) ?? .ephemeral
        copy.urlCache = nil
        copy.httpCookieStorage = nil
        copy.httpCookieAcceptPolicy = .never
        copy.httpShouldSetCookies = false
        copy.urlCredentialStorage = nil
        // Written onto each request instead, where they are checked and where a `URLProtocol` sees them.
        copy.httpAdditionalHeaders = nil
        copy.httpMaximumConnectionsPerHost = connectionLimit
        return copy
    }

    /// Connections a host; anything below one counts as the platform's default of six.
    var connectionLimit: Int {
        httpMaximumConnectionsPerHost > 0 ? httpMaximumConnectionsPerHost : 6
    }

    /// The longest silence that the session's owner accepts.
    var idleTimeout: Duration { .milliseconds(Int64(min(86_400, max(0.001, timeoutIntervalForRequest)) * 1_000)) }

    /// The fields that are to be on every request; on Linux they do not reach a `URLProtocol` by themselves.
    var additionalFields: HeaderFields {
        HeaderFields(
            (httpAdditionalHeaders ?? [:]).compactMap { name, value in
                guard let name = name as? String else { return nil }
                return HeaderFields.Field(name, "\(value)")
            }.sorted { $0.name < $1.name })
    }
}
