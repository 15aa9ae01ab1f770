import ErrandSupport

extension RequestHandler {
    /// Sets the default headers of a request. Headers that are already set are kept.
    ///
    /// These are the ``APIEnvironment/defaultHeaders`` of the handler's ``environment``, as an ``Endpoint`` sends
    /// them, then `Accept`, `Accept-Language` (the user's languages) and `User-Agent`. The environment's headers are
    /// set only if the request has the environment's origin. If one of them must not be sent, the API call fails with
    /// ``ServiceError/Code/encoding``.
    ///
    /// - Parameters:
    ///   - request: The request to change.
    ///   - accept: The media types that the handler can parse (RFC 9110, section 12.5.1). The default is the
    ///     environment's `Accept` header or, if it has none, JSON.
    ///   - userAgent: The value of `User-Agent` (section 10.1.5). The default is the environment's or, if it has
    ///     none, the library's.
    public func setDefaultHeaders(
        on request: inout URLRequest, accept: String? = nil, userAgent: UserAgent? = nil
    ) {
        var own: [String: String] = [:]
        own["Accept"] = accept?.singleLine()
        own["User-Agent"] = userAgent?.description.singleLine()
        request.addAbsent(own)
        let defaults = environment.defaultHeaders
        // Not validated here, because the loader rejects a header that must not be sent and names it in the error.
        if !defaults.isEmpty, environment.hasOrigin(of: request.url) { request.setAbsent(request.missing(defaults)) }
        request.addAbsent(Self.libraryHeaders)
    }

    private static var libraryHeaders: [String: String] {
        [
            "Accept": "application/json", "Accept-Language": AcceptLanguage.ofUser,
            "User-Agent": UserAgent.errand.description,
        ]
    }

    /// Sets the ``APIEnvironment/defaultHeaders`` of an environment other than the handler's ``environment``, then
    /// `Accept`, `Accept-Language` and `User-Agent`. Headers that are already set are kept.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``, as ``setHeaders(_:on:)`` does.
    public func setDefaultHeaders(
        on request: inout URLRequest, for environment: some APIEnvironment
    ) throws(ServiceError) {
        try setHeaders(environment.defaultHeaders, on: &request)
        request.addAbsent(Self.libraryHeaders)
    }

    /// Sets headers that the request does not have yet, such as an environment's ``APIEnvironment/defaultHeaders``.
    ///
    /// If `fields` has several headers with the same name, all of them are set.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if a name is not a token or a value has a line
    ///   break. `URLRequest` on Linux would silently drop such a header.
    public func setHeaders(_ fields: HeaderFields, on request: inout URLRequest) throws(ServiceError) {
        try request.addMissing(fields)
    }
}
