extension ServiceError {
    /// A refusal because a token has insufficient scope (RFC 6750, section 3.1). It is the ``ServiceError/underlying``
    /// cause of an error with ``ServiceError/Code/insufficientScope``.
    ///
    /// ```swift
    /// catch let error as ServiceError where error.code == .insufficientScope {
    ///     let wanted = error.insufficientScope?.scope ?? []       // ask the user for these, and sign in again
    /// }
    /// ```
    public struct InsufficientScope: Error, Sendable, Hashable {
        /// The scopes that the server requires, in its order. Empty if the server does not name them.
        public let scope: [String]

        /// Parses a response head. Returns `nil` if it does not report an insufficient scope.
        package init?(_ head: ResponseHead) {
            let challenge = head.headers.challenges.first { $0.error == "insufficient_scope" }
            guard let challenge else { return nil }
            scope = challenge.scope
        }

        func error(_ request: APIRequest, _ response: APIResponse) -> ServiceError {
            var error = ServiceError(
                .insufficientScope, "insufficient token scope: sign in again with the scopes that the server requires",
                underlying: self)
            error.request = request.summary
            error.response = response.head.hiding(request.options.redaction)
            error.body = response.body.data?.prefix(ServiceError.bodyLimit)
            return error
        }
    }
}

extension ServiceError {
    /// The refusal because of insufficient scope, or `nil` if this error has another cause.
    public var insufficientScope: ServiceError.InsufficientScope? { underlying as? ServiceError.InsufficientScope }
}
