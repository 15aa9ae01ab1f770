import ErrandSupport

extension ServiceError {
    /// A summary of the failed request without secrets: the method, and the URL with masked query values.
    public struct RequestSummary: Sendable, Hashable, CustomStringConvertible {
        /// The method, such as `GET`.
        public let method: String
        /// The host, without user information.
        public let host: String
        /// The percent-encoded path.
        public let path: String
        /// The complete URL in printable form, without user information and with masked secret query values.
        public let url: String

        /// Creates a summary with the secrets masked by a redaction policy.
        public init(_ request: URLRequest, redaction: Redaction = .standard) {
            method = (request.httpMethod ?? "GET").singleLine()
            host = request.url?.host() ?? ""
            path = request.url?.path(percentEncoded: true) ?? ""
            url = request.url.map(redaction.url) ?? "‹no URL›"
        }

        /// The method and the URL, without secrets.
        public var description: String { "\(method) \(url)" }
    }
}

extension ServiceError.RequestSummary {
    private init(_ method: String, _ host: String, _ path: String, _ url: String) {
        (self.method, self.host, self.path, self.url) = (method, host, path, url)
    }

    /// Returns this summary without secrets. A URL from the server may repeat them.
    func hiding(_ secrets: CarriedSecrets) -> ServiceError.RequestSummary {
        ServiceError.RequestSummary(method, host, secrets.masked(path), secrets.masked(url))
    }
}
