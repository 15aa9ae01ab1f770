/// Decides where a redirect leads, and what is sent there: a pure value, one for each call.
///
/// ```swift
/// var machine = RedirectMachine(request)
/// let next = try machine.step(after: head)    // nil: this answer is the call's
/// ```
/// RFC 9110 is meant where a section has no other name.
package struct RedirectMachine: Sendable {
    /// The most bytes of a `Location` that are read: 64 kB.
    package static let locationLimit: Int = 65_536

    private let call: RequestSummary
    private let sessionFields: HeaderFields
    /// What was asked last.
    private var request: APIRequest
    private var visited: Set<String>
    private var count = 0

    /// Starts with what the call asks.
    ///
    /// - Parameters:
    ///   - request: The call's request.
    ///   - sessionFields: What the session adds to each request by itself, so that it can't be dropped.
    package init(_ request: APIRequest, sessionFields: HeaderFields = [:]) {
        self.request = request
        self.sessionFields = sessionFields
        call = request.summary
        visited = [request.place]
    }

    /// The request to send after an answer; nil where the answer is the call's.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/redirect`` for one that must not be followed; its reason holds
    ///   nothing that the server sent but a scheme.
    package mutating func step(after head: ResponseHead) throws(ServiceError) -> APIRequest? {
        guard request.options.redirects.applies(to: head) else { return nil }
        do throws(ServiceError) {
            let next = try following(head)
            count += 1
            guard visited.insert(next.place).inserted else {
                throw Self.refusal("the redirects lead back to an address that was asked before")
            }
            request = next
            return next
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
        guard policy.mode == .follow else { throw Self.refusal("the server redirects, and the call allows none") }
        guard count < policy.limit else { throw Self.refusal("more than \(policy.limit) redirects") }
        var next = request
        next.url = try target(of: head)
        try checkAddress(of: next)
        if let method = request.method(after: head.status) {
            next.become(method)
        } else if !next.body.isReplayable {
            throw Self.refusal("the redirect asks for the body again, which comes once")
        }
        if Origin(next.url) != Origin(request.url) { try dropSecrets(of: &next) }
        return next
    }

    /// Where the answer points to, seen from the address that was asked (section 10.2.2; RFC 3986, section 5.2).
    ///
    /// The fragment of that address goes on where the reference has none.
    private func target(of head: ResponseHead) throws(ServiceError) -> URL {
        // The platform folds two lines into one with a comma and a blank, which no address holds.
        let locations = Set(head.fields.all("Location").flatMap { $0.components(separatedBy: ", ") })
        guard let location = locations.first, locations.count == 1 else {
            throw Self.refusal("the server names several addresses")
        }
        guard location.utf8.count <= Self.locationLimit else {
            throw Self.refusal("the Location has more than \(Self.locationLimit) bytes")
        }
        var reference = URIReference(location)
        // A name and a password in an address from elsewhere are an error (section 4.2.4).
        guard reference.authority?.utf8.contains(UInt8(ascii: "@")) != true else {
            throw Self.refusal("the Location holds user information")
        }
        reference.fragment = reference.fragment ?? request.url.flatMap { URIReference($0.absoluteString).fragment }
        guard let url = request.url?.resolving(reference.text) else {
            throw Self.refusal("the Location is no address")
        }
        return url
    }

    private func checkAddress(of next: APIRequest) throws(ServiceError) {
        do throws(ServiceError) { try next.checkAddress() } catch { throw Self.refusal(error.reason) }
        guard !request.isSecure || next.isSecure || request.options.redirects.allowsDowngrade else {
            throw Self.refusal("the redirect leads from https to http")
        }
    }

    /// Drops what is meant for the origin that is left (section 15.4): what the call's redaction hides, `Authorization`,
    /// `Cookie` and `Proxy-Authorization` always among it.
    ///
    /// The next request is made of this one, so that they stay dropped.
    private func dropSecrets(of next: inout APIRequest) throws(ServiceError) {
        let redaction = next.options.redaction
        guard !sessionFields.contains(where: { redaction.hides($0.name) }) else {
            throw Self.refusal("the redirect leads to another origin, and the session adds a secret to each request")
        }
        next.head.removeFields { redaction.hides($0) || ["origin", "referer"].contains($0.lowercased()) }
    }
}

extension ResponseHead {
    /// Whether this answer points elsewhere for the client to go there by itself (RFC 9110, section 15.4).
    ///
    /// 300 and 304 are answers, 305 and 306 are history (sections 15.4.6 and 15.4.7).
    package var isRedirect: Bool {
        switch status {
        case 301, 302, 303, 307, 308: fields["Location"] != nil
        default: false
        }
    }
}

extension APIRequest {
    /// What the server is asked for: fragments are not sent.
    fileprivate var place: String {
        "\(method) \(url?.absoluteString.prefix { $0 != "#" } ?? "")"
    }

    fileprivate var isSecure: Bool { url?.scheme?.lowercased() == "https" }

    /// The other method that a redirect asks for; nil where it stays (sections 15.4.2 to 15.4.4, 15.4.8 and 15.4.9).
    fileprivate func method(after status: Int) -> HTTPMethod? {
        switch (status, method) {
        case (_, .get), (303, .head): nil
        case (303, _), (301, .post), (302, .post): .get
        default: nil
        }
    }

    /// Changes the method to one without a body, and drops what described the body (section 15.4, step 5), and the
    /// conditions under which the other method was to be carried out (section 13.1).
    fileprivate mutating func become(_ method: HTTPMethod) {
        self.method = method
        body = .none
        head.removeFields { name in
            let name = name.lowercased()
            return name.hasPrefix("content-") || name.hasPrefix("if-") || Self.contentFields.contains(name)
        }
    }

    private static let contentFields: Set<String> = ["digest", "repr-digest", "last-modified", "expect"]
}

extension URLRequest {
    /// Removes the fields whose names are such.
    fileprivate mutating func removeFields(where isRemoved: (String) -> Bool) {
        for name in (allHTTPHeaderFields ?? [:]).keys where isRemoved(name) {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}
