import ErrandSupport

extension APIRequest {
    /// Throws an error if the request must not be sent. Every session of this library calls it before it sends a
    /// request.
    ///
    /// A valid request meets these rules:
    /// - The method and the header names are tokens, and header values contain no CR, LF or NUL (RFC 9110, sections
    ///   5.1, 5.5 and 9.1), so that no argument can forge a second request. The method `CONNECT` is not allowed.
    /// - `Content-Length` and `Transfer-Encoding` are not set. They belong to the transport.
    /// - A `Host` header contains a host with an optional port (section 7.2). It replaces the one derived from the URL.
    /// - The scheme of the URL is http or https.
    /// - A GET, HEAD or TRACE request has no body (section 9.3).
    /// - The boundary, the content types and the headers of a ``MultipartBody`` are valid.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``. The reason names the header, never its value.
    public func checkSendable() throws(ServiceError) {
        if !isHeadKnownSendable { try checkHead() }
        if body != .none, ["GET", "HEAD", "TRACE"].contains(method.rawValue) {
            throw refusal("a \(method.rawValue) request cannot have a body: use another method")
        }
        if case .multipart(let multipart) = body {
            do throws(ServiceError) { try multipart.check() } catch { throw refusal(error.reason) }
        }
    }

    private func checkHead() throws(ServiceError) {
        try checkAddress()
        let method = self.method.rawValue
        guard method.isToken, method != "CONNECT" else {
            throw refusal("invalid method: expected a token other than CONNECT")
        }
        guard base.httpBody == nil, base.httpBodyStream == nil else {
            throw refusal("the head of the request has a body: set APIRequest.body instead")
        }
        let fields = unsortedFields
        for field in fields { try check(field) }
        guard fields.count(where: { $0.isNamed("Host") }) <= 1 else {
            throw refusal("the request has two Host headers: set one")
        }
    }

    private func check(_ field: HeaderFields.Field) throws(ServiceError) {
        if let flaw = field.flaw { throw refusal(flaw) }
        if field.isNamed("Proxy-Authorization") {
            throw refusal("\(field.name) would be sent to the server: put the credentials into the proxy URL")
        }
        if Self.transportFields.contains(where: field.isNamed) {
            throw refusal("\(field.name) is set by the transport: remove it from the request")
        }
        if field.isNamed("Host"), !HostHeader.isValid(field.value) { throw refusal(HostHeader.refusal) }
    }

    private static let transportFields = ["Content-Length", "Transfer-Encoding"]

    /// Throws an error if the URL is not an absolute http or https URL with a host and a valid port.
    func checkAddress() throws(ServiceError) {
        guard let url = base.url, let scheme = url.scheme?.lowercased() else {
            throw refusal("the request has no absolute URL: expected an http or https URL")
        }
        guard scheme == "http" || scheme == "https" else {
            throw refusal("expected the scheme http or https, found \(scheme.singleLine(limit: 16))")
        }
        guard let host = url.host(), !host.isEmpty else { throw refusal("invalid URL: expected a host") }
        guard (1...65_535).contains(url.port ?? 1), url.port != nil || !url.namesPort else {
            throw refusal("invalid port in the URL: expected 1 to 65535")
        }
    }

    private func refusal(_ reason: String) -> ServiceError {
        var error = ServiceError(.encoding, reason)
        error.request = summary
        return error
    }
}

extension URL {
    /// Whether the URL contains a port. ``port`` is also `nil` if the number does not fit into an integer.
    fileprivate var namesPort: Bool {
        let behindScheme = absoluteString.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        let authority = behindScheme.prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        return authority.last { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == UInt8(ascii: ":")
            && authority.last != UInt8(ascii: ":")
    }
}
