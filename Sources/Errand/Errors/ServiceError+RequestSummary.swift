import ErrandSupport

extension ServiceError {
    /// Which call this was, without its secrets: method, and address with masked query values.
    public struct RequestSummary: Sendable, Hashable, CustomStringConvertible {
        /// The method, such as `GET`.
        public let method: String
        /// The host, without user information.
        public let host: String
        /// The percent-encoded path.
        public let path: String
        /// The whole address as it may be printed: user information left out, secret query values masked.
        public let address: String

        /// Summarises a request under a redaction policy.
        public init(_ request: URLRequest, redaction: Redaction = .standard) {
            method = (request.httpMethod ?? "GET").singleLine()
            host = request.url?.host() ?? ""
            path = request.url?.path(percentEncoded: true) ?? ""
            address = request.url.map(redaction.address) ?? "‹no address›"
        }

        /// The text that is safe to print.
        public var description: String { "\(method) \(address)" }
    }
}

extension ServiceError.RequestSummary {
    private init(_ method: String, _ host: String, _ path: String, _ address: String) {
        (self.method, self.host, self.path, self.address) = (method, host, path, address)
    }

    /// This summary without secrets. A URL from the server may repeat them.
    func hiding(_ secrets: CarriedSecrets) -> ServiceError.RequestSummary {
        ServiceError.RequestSummary(method, host, secrets.masked(path), secrets.masked(address))
    }
}
