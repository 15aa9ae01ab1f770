extension RequestHandler {
    /// Sets `Accept`, `Accept-Language` (the user's languages) and `User-Agent`, each only where it is not set yet.
    ///
    /// - Parameters:
    ///   - request: What gets the fields.
    ///   - accept: What the handler can parse; JSON by default (RFC 9110, section 12.5.1).
    ///   - userAgent: Who is calling (section 10.1.5); the library itself by default.
    public func setDefaultHeaders(
        on request: inout URLRequest,
        accept: String = "application/json",
        userAgent: UserAgent = .errand
    ) {
        let fields = ["Accept": accept, "Accept-Language": AcceptLanguage.ofUser, "User-Agent": userAgent.description]
        let absent = fields.filter { request.value(forHTTPHeaderField: $0.key) == nil }
        request.setAbsent(absent.mapValues { $0.singleLine() })
    }

    /// Sets an environment's ``APIEnvironment/defaultHeaders``, then those of
    /// ``setDefaultHeaders(on:accept:userAgent:)``, each only where it is not set yet.
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
