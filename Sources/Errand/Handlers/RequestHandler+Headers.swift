extension RequestHandler {
    /// Sets the default headers of a request. A header that is already set stays.
    ///
    /// These are the ``APIEnvironment/defaultHeaders`` of the handler's ``environment``, as an ``Endpoint`` sends them, then
    /// `Accept`, `Accept-Language` (the user's languages) and `User-Agent`. A default header of the environment that must
    /// not be sent makes the call fail with ``ServiceError/Code/encoding``.
    ///
    /// - Parameters:
    ///   - request: The request to change.
    ///   - accept: The media types that the handler can parse (RFC 9110, section 12.5.1). By default the environment's
    ///     `Accept`, or else JSON.
    ///   - userAgent: The value of `User-Agent` (section 10.1.5). By default the environment's, or else the library's name.
    public func setDefaultHeaders(
        on request: inout URLRequest, accept: String? = nil, userAgent: UserAgent? = nil
    ) {
        var own: [String: String] = [:]
        own["Accept"] = accept?.singleLine()
        own["User-Agent"] = userAgent?.description.singleLine()
        request.addAbsent(own)
        // The loader refuses a header that must not be sent, and names it: nothing is thrown here.
        request.setAbsent(request.missing(environment.defaultHeaders))
        request.addAbsent([
            "Accept": "application/json", "Accept-Language": AcceptLanguage.ofUser,
            "User-Agent": UserAgent.errand.description,
        ])
    }

    /// Sets the ``APIEnvironment/defaultHeaders`` of an environment that is not the handler's ``environment``, then the
    /// headers of ``setDefaultHeaders(on:accept:userAgent:)``. A header that is already set stays.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``, as ``setHeaders(_:on:)`` does.
    public func setDefaultHeaders(
        on request: inout URLRequest, for environment: some APIEnvironment
    ) throws(ServiceError) {
        try setHeaders(environment.defaultHeaders, on: &request)
        setDefaultHeaders(on: &request)
    }

    /// Sets fields where they are not set yet: an environment's ``APIEnvironment/defaultHeaders``, for example.
    ///
    /// Several fields of one name are all set.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a name that is not a token or a value with a
    ///   line break, which `URLRequest` on Linux would drop without a word.
    public func setHeaders(_ fields: HeaderFields, on request: inout URLRequest) throws(ServiceError) {
        try request.addMissing(fields)
    }
}
