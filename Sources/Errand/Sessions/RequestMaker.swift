/// Makes the request of an API call again, so that a replay has a new signature or timestamp of its handler.
struct RequestMaker: Sendable {
    /// The request that the handler made first, without its body.
    let made: URLRequest
    /// The body of that request.
    let body: RequestBody
    let make: @Sendable () throws -> URLRequest

    init(_ request: APIRequest, _ make: @escaping @Sendable () throws -> URLRequest) {
        (made, body, self.make) = (request.base, request.body, make)
    }

    /// Whether a header of a request still has the value that the handler gave it.
    fileprivate func isUnchanged(_ name: String, in request: APIRequest) -> Bool {
        request.value(ofField: name) == made.value(forHTTPHeaderField: name)
    }
}

extension APIRequest {
    /// Returns the request with the URL, the headers and the body that its handler makes now. The method, the
    /// idempotency key and all changes by interceptors remain.
    ///
    /// Returns `self` if no loader made the request, or if an interceptor has changed a URL or a body that would be
    /// another one now. Otherwise, a signature in a header would belong to another URL or body.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the handler throws, or if the new URL has
    ///   another origin.
    func remade() throws(ServiceError) -> APIRequest {
        guard let maker = options.maker else { return self }
        let made: URLRequest
        do { made = try maker.make() } catch {
            throw ServiceError(wrapping: error, as: .encoding, "the handler could not make the request again")
        }
        guard Origin(made.url) == Origin(maker.made.url) else {
            throw ServiceError(
                .encoding, "expected a request to the same origin for the replay after 401, found one to another origin"
            )
        }
        let newBody = made.httpBody.map { RequestBody.data($0) } ?? .none
        guard url == maker.made.url || made.url == maker.made.url else { return self }
        guard newBody == maker.body || body == maker.body else { return self }
        var result = self
        if url == maker.made.url { result.url = made.url }
        if newBody != maker.body { result.body = newBody }
        let names = Set((maker.made.allHTTPHeaderFields ?? [:]).keys).union((made.allHTTPHeaderFields ?? [:]).keys)
        for name in names where !HeaderFields.Field(name, "").isNamed(RequestOptions.Idempotency.field) {
            let value = made.value(forHTTPHeaderField: name)
            guard maker.isUnchanged(name, in: self), value != maker.made.value(forHTTPHeaderField: name) else {
                continue
            }
            result.head.setValue(value, forHTTPHeaderField: name)
        }
        try result.ensureSendable()
        return result
    }
}
