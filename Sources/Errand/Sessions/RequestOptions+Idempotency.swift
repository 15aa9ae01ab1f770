extension RequestOptions {
    /// Whether a request may be sent more than once, when nobody knows what became of the first time.
    public enum Idempotency: Sendable, Hashable {
        /// By the method: GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE may (RFC 9110, section 9.2.2), and so may any
        /// request that has an `Idempotency-Key`.
        case byMethod
        /// With an `Idempotency-Key` that the loader makes once for the call, so that all its attempts have the same; one that
        /// the handler has set stays. For POST and PATCH to servers that know the field. Only a loader makes one: with `send(_:)`
        /// set the field.
        case byKey
        /// It may, whatever the method: a search by POST, for example.
        case always
        /// It must not, whatever the method.
        case never
    }
}

extension RequestOptions.Idempotency {
    /// The field's name.
    package static var field: String { "Idempotency-Key" }
}

extension APIRequest {
    /// Whether this request may be sent again without asking anybody: by its method, key and ``RequestOptions/idempotency``,
    /// and never where its body comes once.
    public var mayRepeat: Bool {
        // A body that comes once may have been read by now.
        guard body.isReplayable else { return false }
        return switch options.idempotency {
        case .always: true
        case .never: false
        case .byMethod, .byKey: method.isIdempotent || value(ofField: RequestOptions.Idempotency.field) != nil
        }
    }
}
