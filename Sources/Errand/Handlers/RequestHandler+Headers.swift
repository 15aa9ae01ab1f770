import ErrandSupport

extension RequestHandler {
    /// Sets the default headers of a request. A header that is already set stays.
    ///
    /// These are the ``APIEnvironment/defaultHeaders`` of the handler's ``environment``, as an ``Endpoint`` sends them, then
    /// `Accept`, `Accept-Language` (the user's languages) and `User-Agent`. The environment's headers are for its own origin:
    /// a request to another one does not get them. A default header of the environment that must
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
        let defaults = environment.defaultHeaders
        // The loader refuses a header that must not be sent, and names it: nothing is thrown here.
        if !defaults.isEmpty, environment.hasOrigin(of: request.url) { request.setAbsent(request.missing(defaults)) }
        request.addAbsent(Self.libraryHeaders)
    }

    private static var libraryHeaders: [String: String] {
        [
            "Accept": "application/json", "Accept-Language": AcceptLanguage.ofUser,
            "User-Agent": UserAgent.errand.description,
        ]
    }

    /// Sets the ``APIEnvironment/defaultHeaders`` of an environment that is not the handler's ``environment``, then
    /// `Accept`, `Accept-Language` and `User-Agent`. A header that is already set stays.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``, as ``setHeaders(_:on:)`` does.
    public func setDefaultHeaders(
        on request: inout URLRequest, for environment: some APIEnvironment
    ) throws(ServiceError) {
        try setHeaders(environment.defaultHeaders, on: &request)
        request.addAbsent(Self.libraryHeaders)
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
