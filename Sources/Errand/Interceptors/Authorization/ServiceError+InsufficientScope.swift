extension ServiceError {
    /// What a token lacks, as the server says it (RFC 6750, section 3.1): the ``ServiceError/underlying`` cause of an error
    /// with ``ServiceError/Code/insufficientScope``.
    ///
    /// ```swift
    /// catch let error as ServiceError where error.code == .insufficientScope {
    ///     let wanted = error.insufficientScope?.scope ?? []       // ask the user for these, and sign in again
    /// }
    /// ```
    public struct InsufficientScope: Error, Sendable, Hashable {
        /// The scopes that the server asks for, in its order; empty where it names none.
        public let scope: [String]

        /// Reads a head: nil where it does not say so.
        package init?(_ head: ResponseHead) {
            let challenge = head.fields.challenges.first { $0.error == "insufficient_scope" }
            guard let challenge else { return nil }
            scope = challenge.scope
        }

        func error(_ request: APIRequest, _ response: APIResponse) -> ServiceError {
            var error = ServiceError(.insufficientScope, "the token's scope does not suffice", underlying: self)
            error.request = request.summary
            error.response = response.head.hiding(request.options.redaction)
            error.body = response.body.data?.prefix(ServiceError.bodyLimit)
            return error
        }
    }
}

extension ServiceError {
    /// What the token lacks, where that is the error.
    public var insufficientScope: ServiceError.InsufficientScope? { underlying as? ServiceError.InsufficientScope }
}
