extension APIRequest {
    /// Adds the headers of ``RequestOptions/precondition`` that the request does not have yet.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a write without validators.
    mutating func addPrecondition() throws(ServiceError) {
        guard let precondition = options.precondition else { return }
        for header in try precondition.headers() where value(ofField: header.name) == nil { set(header) }
    }

    /// Sets the precondition, and removes headers of the handler with which a server responds with status 304. Such a
    /// response would not refer to the validators of the caller.
    mutating func replaceCondition(with precondition: Precondition) {
        options.precondition = precondition
        for name in [Precondition.noneMatch, Precondition.modifiedSince] where value(ofField: name) != nil {
            head.setValue(nil, forHTTPHeaderField: name)
        }
    }

    /// Whether the request has a condition that permits a response with status 304 (RFC 9110, section 15.4.5).
    var allowsNotModified: Bool {
        value(ofField: Precondition.noneMatch) != nil || value(ofField: Precondition.modifiedSince) != nil
    }

    /// Checks that the server sends status 304 only to a conditional request.
    ///
    /// Without a condition, the client has no body that the response could refer to.
    func checkNotModified(_ head: ResponseHead) throws(ServiceError) {
        guard head.status == 304, !allowsNotModified else { return }
        throw ServiceError(
            .status,
            "unexpected status 304 (Not Modified): the request has no If-None-Match or If-Modified-Since header")
    }

    /// The meaning of a status for the conditions of this request, or `nil` if it has none.
    func conditionalMeaning(of status: Int) -> String? {
        switch status {
        case 304: "the resource has not changed; use loadIfModified(_:_:) to get this response"
        case 412: failedCondition
        case 428 where options.precondition == nil:
            "the server requires a condition; set RequestOptions.precondition"
        default: nil
        }
    }

    private var failedCondition: String? {
        if let tags = value(ofField: Precondition.match) {
            return tags == "*"
                ? "the resource does not exist (If-Match)"
                : "the resource has changed since it was loaded, or does not exist (If-Match)"
        }
        if value(ofField: Precondition.unmodifiedSince) != nil {
            return "the resource has changed since it was loaded (If-Unmodified-Since)"
        }
        return value(ofField: Precondition.noneMatch) == "*" ? "the resource exists already (If-None-Match)" : nil
    }
}
