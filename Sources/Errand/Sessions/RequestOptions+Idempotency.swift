extension RequestOptions {
    /// Whether a request may be sent again if the outcome of the first attempt is unknown.
    public enum Idempotency: Sendable, Hashable {
        /// Depends on the method. GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE may be retried (RFC 9110, section
        /// 9.2.2), and so may any request that has an `Idempotency-Key` header.
        case byMethod
        /// The loader adds one `Idempotency-Key` header for all attempts of the API call. A key that the handler has
        /// set is kept. Use it for POST and PATCH if the server supports the header. Only a loader adds the key. With
        /// `send(_:)`, set the header yourself.
        case byKey
        /// May be retried with any method, for example a search by POST.
        case always
        /// Must not be retried, regardless of the method.
        case never
    }
}

extension RequestOptions.Idempotency {
    /// The name of the header.
    package static var field: String { "Idempotency-Key" }
}

extension APIRequest {
    /// Whether this request may be sent again automatically. Depends on its method, its key and
    /// ``RequestOptions/idempotency``. Always `false` if the body can be read only once.
    public var isRetryable: Bool {
        // Such a body may already have been read.
        guard body.isReplayable else { return false }
        return switch options.idempotency {
        case .always: true
        case .never: false
        case .byMethod, .byKey: method.isIdempotent || value(ofField: RequestOptions.Idempotency.field) != nil
        }
    }
}
