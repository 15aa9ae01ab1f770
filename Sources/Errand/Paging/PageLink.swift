/// The URL of a page that the server linked to.
///
/// Use ``applied(to:)`` to get a request for it. The URL itself is not accessible, so that it is always checked.
public struct PageLink: Sendable {
    let url: URL

    static var crossOrigin: String { "the server's next link leads to another origin: expected the origin of the list" }

    /// Returns a URL without its fragment, which is not sent to the server (RFC 9110, section 4.2.5).
    static func withoutFragment(_ url: URL) -> URL {
        guard url.fragment != nil else { return url }
        return URL(string: String(url.absoluteString.prefix { $0 != "#" })) ?? url
    }

    /// Returns a copy of a request with the URL of this link. The method becomes GET unless it is HEAD. The body is
    /// removed, because following a link retrieves its target (RFC 8288, section 2).
    ///
    /// A handler that signs its requests passes the unsigned request, and signs the result.
    /// - Parameter request: The request for the page that has the link.
    /// - Returns: The request for the linked page.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` if the link has another origin than the
    ///   request, or contains a user name or a password.
    public func applied(to request: URLRequest) throws(ServiceError) -> URLRequest {
        guard Origin(url) == Origin(request.url) else { throw ServiceError(.badResponse, Self.crossOrigin) }
        guard url.user == nil, url.password == nil else {
            throw ServiceError(.badResponse, "invalid next link: expected a URL without user information")
        }
        var request = request
        request.url = url
        let reads = ["GET", "HEAD"].contains(request.httpMethod ?? "GET")
        guard !reads || request.httpBody != nil else { return request }
        request.httpMethod = "GET"
        request.httpBody = nil
        request.allHTTPHeaderFields = request.allHTTPHeaderFields?.filter {
            !$0.key.lowercased().hasPrefix("content-")
        }
        return request
    }
}

extension PageLink: CustomStringConvertible, CustomReflectable {
    /// The URL with its secrets masked.
    public var description: String { "link to \(Redaction.standard.url(url))" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
