/// Follows redirects as a call's ``RequestOptions/redirects`` says, so that layers further out see the last answer only.
///
/// It is part of ``PlatformSession`` and of every `URLSession`. A session of your own that returns a 3xx, such as a test
/// double, gets it by hand, innermost, as the layers inside see each request:
/// ```swift
/// let session = double.intercepted(by: RedirectLayer())
/// ```
/// Around a session that follows by itself it has nothing to do.
///
/// The rules, of RFC 9110 where no other is named:
/// - 301, 302, 303, 307 and 308 with a `Location` are followed (section 15.4); any other answer is the call's.
/// - The `Location` is resolved against the address that was asked, whose fragment goes on (section 10.2.2; RFC 3986,
///   section 5.2). Only http and https, no user information (section 4.2.4), at most 64 kB.
/// - After 303 the method is GET, or HEAD where it was; after 301 and 302 POST becomes GET; else method and body stay
///   (sections 15.4.2 to 15.4.9). With the body go the fields that describe it (section 15.4, step 5).
/// - To another origin (scheme, host or port) no secret goes: each field that the call's ``RequestOptions/redaction``
///   hides is dropped, `Authorization` and `Cookie` always, and does not come back in this call; nor do `Origin` and
///   `Referer`. A body that stays goes along, as 307 and 308 ask: ``RedirectPolicy/manual`` for calls whose body is the
///   secret.
/// - From https to http is an error, so are a 21st redirect and one that leads back to an address that was asked with
///   this method before.
///
/// Deadline and cap of the call hold for all of it; the redirects' own bodies are dropped. The answer's
/// ``ResponseHead/url`` is the last address.
public struct RedirectLayer: Interceptor {
    private let sessionFields: HeaderFields

    /// Makes the layer.
    public init() {
        self.init(sessionFields: [:])
    }

    /// Makes the layer for a session that adds fields to each request by itself.
    package init(sessionFields: HeaderFields) {
        self.sessionFields = sessionFields
    }

    /// Sends a request, and those that the answers ask for.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/redirect`` where a redirect must not be followed,
    ///   `CancellationError`, and what the session throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let response = try await next.send(request)
        // Most calls end here: what follows costs more than all else that a session does for a request.
        guard response.head.isRedirect else { return response }
        return try await follow(response, to: request, next: next)
    }

    private func follow(
        _ first: APIResponse, to request: APIRequest, next: any APISession
    ) async throws -> APIResponse {
        var machine = RedirectMachine(request, sessionFields: sessionFields)
        var response = first
        while let following = try machine.step(after: response.head) {
            try Task.checkCancellation()
            response = try await next.send(following)
        }
        return response
    }
}
