import ErrandSupport

/// The state machine of redirects. It creates the requests that follow the redirects of one API call. It does no I/O.
///
/// ```swift
/// var machine = RedirectMachine(request)
/// let next = try machine.step(after: head)    // nil: the response is not a redirect to follow
/// ```
/// Sections are those of RFC 9110 unless another document is named.
package struct RedirectMachine: Sendable {
    /// The maximum number of bytes of a `Location`: 64 kB.
    package static let locationLimit: Int = 65_536

    private let call: ServiceError.RequestSummary
    private let sessionHeaders: HeaderFields
    private let foldsDuplicates: Bool
    /// The most recent request.
    private var request: APIRequest
    private var count = 0

    /// Creates the machine for the first request of an API call.
    ///
    /// - Parameters:
    ///   - request: The first request.
    ///   - sessionHeaders: The headers that the session adds to each request, so that they cannot be dropped.
    ///   - foldsDuplicates: Whether the session joins duplicate headers of a response with a comma and a space.
    package init(_ request: APIRequest, sessionHeaders: HeaderFields = [:], foldsDuplicates: Bool = false) {
        self.request = request
        self.sessionHeaders = sessionHeaders
        self.foldsDuplicates = foldsDuplicates
        call = request.summary
    }

    /// Returns the request to send after a response, or `nil` if the response is the last one.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/redirect`` for a redirect that must not be followed. Its
    ///   reason contains no data of the server except a scheme.
    package mutating func step(after head: ResponseHead) throws(ServiceError) -> APIRequest? {
        guard request.options.redirects.applies(to: head) else { return nil }
        do throws(ServiceError) {
            request = try following(head)
            count += 1
            return request
        } catch {
            var error = error
            error.request = call
            error.response = head.hiding(request.options.redaction)
            throw error
        }
    }
}

extension RedirectMachine {
    private static func refusal(_ reason: String) -> ServiceError { ServiceError(.redirect, reason) }

    private func following(_ head: ResponseHead) throws(ServiceError) -> APIRequest {
        let policy = request.options.redirects
        guard policy.mode == .follow else {
            throw Self.refusal("unexpected redirect: the redirect policy of the request is .error")
        }
        guard count < policy.limit else { throw Self.refusal("expected at most \(policy.limit) redirects, found more") }
        var next = request
        next.url = try target(of: head)
        let isCrossOrigin = Origin(next.url) != Origin(request.url)
        if isCrossOrigin, let reason = policy.crossOriginRefusal { throw ServiceError(.badResponse, reason) }
        try checkURL(of: next)
        if let method = request.method(after: head.status) {
            next.become(method)
        } else if !next.body.isReplayable {
            throw Self.refusal(
                "the redirect requires the body again, but the body is a single-use stream: pass one that can be opened again"
            )
        }
        if isCrossOrigin { try dropHeaders(of: &next) }
        return next
    }

    /// Returns the only `Location` of a response.
    ///
    /// A comma followed by a space is part of it, unless the session joins duplicate headers in this way (section 5.3).
    /// Then one URL cannot be distinguished from two.
    private func location(of head: ResponseHead) throws(ServiceError) -> String {
        let lines = head.headers.all("Location")
        let locations = Set(foldsDuplicates ? lines.flatMap { $0.components(separatedBy: ", ") } : lines)
        guard let location = locations.first, locations.count == 1 else {
            throw Self.refusal("expected one Location header, found several")
        }
        return location
    }

    /// Returns the URL of the next request (section 10.2.2 and RFC 3986, section 5.2).
    ///
    /// It inherits the fragment of the last request's URL if the reference has none.
    private func target(of head: ResponseHead) throws(ServiceError) -> URL {
        let location = try location(of: head)
        guard location.utf8.count <= Self.locationLimit else {
            throw Self.refusal("expected a Location of at most \(Self.locationLimit) bytes, found more")
        }
        var reference = URIReference(location)
        // User information in a URL from an untrusted source is an error (section 4.2.4).
        guard reference.authority?.utf8.contains(UInt8(ascii: "@")) != true else {
            throw Self.refusal("expected a Location without user information")
        }
        reference.fragment = reference.fragment ?? request.url.flatMap { URIReference($0.absoluteString).fragment }
        guard let url = request.url?.resolving(reference.text) else {
            throw Self.refusal("invalid Location: expected a valid URL (RFC 3986)")
        }
        return url
    }

    private func checkURL(of next: APIRequest) throws(ServiceError) {
        do throws(ServiceError) { try next.checkAddress() } catch { throw Self.refusal(error.reason) }
        guard !request.isSecure || next.isSecure || request.options.redirects.allowsDowngrade else {
            throw Self.refusal("the redirect leads from https to http: set allowsDowngrade in its policy to follow it")
        }
    }

    /// Drops the headers that must not be sent to another origin (section 15.4).
    ///
    /// Each request is derived from the previous one, so dropped headers stay dropped.
    private func dropHeaders(of next: inout APIRequest) throws(ServiceError) {
        let options = next.options
        if let header = sessionHeaders.first(where: { !options.keepsAcrossOrigins($0.name) }) {
            let isSecret = options.redaction.hides(header.name)
            let advice = isSecret ? "" : "name it in RedirectInterceptor.Policy.crossOriginHeaders, or "
            throw Self.refusal(
                "the redirect leads to another origin, and the session adds \(header.name.singleLine(limit: 64)) to every "
                    + "request: \(advice)set it on each request instead")
        }
        next.head.removeHeaders { !options.keepsAcrossOrigins($0) }
    }
}

extension ResponseHead {
    /// Whether this response is a redirect that a client may follow (RFC 9110, section 15.4).
    ///
    /// 300 and 304 are not. 305 and 306 are no longer used (sections 15.4.6 and 15.4.7). An empty `Location` names no
    /// other resource.
    package var isRedirect: Bool {
        switch status {
        case 301, 302, 303, 307, 308:
            headers.contains { header in
                header.isNamed("Location") && !header.value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == 0x09 }
            }
        default: false
        }
    }
}

extension APIRequest {
    fileprivate var isSecure: Bool { url?.scheme?.lowercased() == "https" }

    /// Returns the new method after a redirect, or `nil` if the method is kept (sections 15.4.2 to 15.4.4, 15.4.8 and
    /// 15.4.9).
    fileprivate func method(after status: Int) -> HTTPMethod? {
        switch (status, method) {
        case (_, .get), (303, .head): nil
        case (303, _), (301, .post), (302, .post): .get
        default: nil
        }
    }

    /// Changes the method to one without a body. Drops the headers that described the body (section 15.4, step 5) and
    /// the conditions for the old method (section 13.1).
    fileprivate mutating func become(_ method: HTTPMethod) {
        self.method = method
        body = .none
        head.removeHeaders { name in
            let name = name.lowercased()
            return name.hasPrefix("content-") || name.hasPrefix("if-") || Self.contentHeaders.contains(name)
        }
    }

    private static let contentHeaders: Set<String> = ["digest", "repr-digest", "last-modified", "expect"]
}

extension URLRequest {
    /// Removes the headers with matching names.
    fileprivate mutating func removeHeaders(where isRemoved: (String) -> Bool) {
        for name in (allHTTPHeaderFields ?? [:]).keys where isRemoved(name) {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}
