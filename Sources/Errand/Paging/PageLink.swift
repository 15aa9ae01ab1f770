/// The address of a page that a server named, as ``PagedHandler/makeRequest(to:from:)`` gets it.
///
/// ``applied(to:)`` is the only use of the address: it checks the address and returns a request for it.
public struct PageLink: Sendable {
    let url: URL

    static var crossOrigin: String { "the server's next link leads to another origin" }

    /// Returns a request with this address. A method other than GET and HEAD becomes GET, and a body is left out, because to
    /// follow a link is to read it (RFC 8288, section 2).
    ///
    /// A handler that signs its requests passes the unsigned request, and signs the result.
    /// - Parameter request: The request for the page that has the link.
    /// - Returns: The request for the page that the link names.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` if the link leads to another origin than the request's,
    ///   or names a user.
    public func applied(to request: URLRequest) throws(ServiceError) -> URLRequest {
        guard Origin(url) == Origin(request.url) else { throw ServiceError(.badResponse, Self.crossOrigin) }
        guard url.user == nil, url.password == nil else {
            throw ServiceError(.badResponse, "the server's next link names a user")
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
    /// The address without what it may hide.
    public var description: String { "link to \(Redaction.standard.address(url))" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
