extension URLSessionConfiguration {
    /// Returns a copy with the settings that make `URLSession` on Linux safe and fast.
    ///
    /// On Linux, a cache crashes the process when a task is cancelled early. Cookie handling takes a third of the time
    /// of a request, and ignores path and `Secure`. Stored credentials lead to endless challenges.
    func hardened() -> URLSessionConfiguration {
        let copy = (self.copy() as? URLSessionConfiguration) ?? .ephemeral
        copy.urlCache = nil
        copy.httpCookieStorage = nil
        copy.httpCookieAcceptPolicy = .never
        copy.httpShouldSetCookies = false
        copy.urlCredentialStorage = nil
        // Added to each request instead, so that they are checked, and are visible to a `URLProtocol`.
        copy.httpAdditionalHeaders = nil
        copy.httpMaximumConnectionsPerHost = connectionLimit
        return copy
    }

    /// The maximum number of connections to a host. Values below 1 stand for 6, the default of the platform.
    var connectionLimit: Int {
        httpMaximumConnectionsPerHost > 0 ? httpMaximumConnectionsPerHost : 6
    }

    /// The idle timeout of the session, from 1 ms to one day.
    var idleTimeout: Duration { .milliseconds(Int64(min(86_400, max(0.001, timeoutIntervalForRequest)) * 1_000)) }

    /// The headers to add to every request. On Linux, the platform does not pass them to a `URLProtocol`.
    var additionalHeaders: HeaderFields {
        HeaderFields(
            (httpAdditionalHeaders ?? [:]).compactMap { name, value in
                guard let name = name as? String else { return nil }
                return HeaderFields.Field(name, "\(value)")
            }.sorted { $0.name < $1.name })
    }
}
