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
        setHeaders(
            ["Accept": accept, "Accept-Language": AcceptLanguage.ofUser, "User-Agent": userAgent.description],
            on: &request)
    }

    /// Sets fields where they are not set yet: an environment's ``APIEnvironment/defaultHeaders``, for example.
    public func setHeaders(_ fields: HeaderFields, on request: inout URLRequest) {
        for field in fields where request.value(forHTTPHeaderField: field.name) == nil {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
    }
}
