import ErrandSupport

extension APIRequest {
    /// Refuses what must not go onto the wire: every session of this library calls it before it sends.
    ///
    /// Method and field names are tokens and values hold no CR, LF or NUL (RFC 9110, sections 5.1, 5.5 and 9.1), so that
    /// no argument can forge a second request; `Content-Length` and `Transfer-Encoding` belong to the transport; a `Host` is
    /// a host with an optional port (section 7.2), and replaces the URL's; only http and https; no body on GET, HEAD or
    /// TRACE (section 9.3).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``; the reason names the field, never its value.
    public func checkSendable() throws(ServiceError) {
        if !isHeadKnownSendable { try checkHead() }
        if body != .none, ["GET", "HEAD", "TRACE"].contains(method.rawValue) {
            throw refusal("a \(method.rawValue) request can't carry a body")
        }
    }

    private func checkHead() throws(ServiceError) {
        try checkAddress()
        let method = self.method.rawValue
        guard method.isToken, method != "CONNECT" else { throw refusal("the method is not a token, or CONNECT") }
        guard base.httpBody == nil, base.httpBodyStream == nil else {
            throw refusal("the body belongs into the APIRequest, not into its head")
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
            throw refusal("\(field.name) would reach the server: a proxy's credentials belong into its address")
        }
        if Self.transportFields.contains(where: field.isNamed) {
            throw refusal("\(field.name) is set by the transport, not by the request")
        }
        if field.isNamed("Host"), !HostHeader.isValid(field.value) { throw refusal(HostHeader.refusal) }
    }

    private static let transportFields = ["Content-Length", "Transfer-Encoding"]

    /// Refuses an address that is none of an HTTP server.
    func checkAddress() throws(ServiceError) {
        guard let url = base.url, let scheme = url.scheme?.lowercased() else {
            throw refusal("the request has no absolute address")
        }
        guard scheme == "http" || scheme == "https" else {
            throw refusal("the scheme \(scheme.singleLine(limit: 16)) is not http or https")
        }
        guard let host = url.host(), !host.isEmpty else { throw refusal("the address has no host") }
        guard (1...65_535).contains(url.port ?? 1), url.port != nil || !url.namesPort else {
            throw refusal("the address has a port that is none")
        }
    }

    private func refusal(_ reason: String) -> ServiceError {
        var error = ServiceError(.encoding, reason)
        error.request = summary
        return error
    }
}

extension URL {
    /// Whether the text has a port; ``port`` is nil also for one that no number can hold.
    fileprivate var namesPort: Bool {
        let behindScheme = absoluteString.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        let authority = behindScheme.prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        return authority.last { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == UInt8(ascii: ":")
            && authority.last != UInt8(ascii: ":")
    }
}

extension HeaderFields.Field {
    /// What makes this field unfit for the wire, without its value; nil where nothing does.
    package var flaw: String? {
        guard name.isToken else { return "a header field's name is not a token" }
        guard !value.utf8.contains(where: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") || $0 == 0 }) else {
            return "the value of \(name) holds a line break or NUL"
        }
        return nil
    }
}
