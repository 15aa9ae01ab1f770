/// The call for one page of a list, given its place: what walks and models of lists send.
///
/// A link to another origin than the list's own is an error. So is one that a redirect takes there, and one that leads back
/// to a page that was read. Everything else is the handler's own.
public struct PageCall<T: PagedHandler>: APIHandler {
    let handler: T

    /// The handler's own name.
    public var callName: String { handler.callName }

    /// The handler's own.
    public var validators: [ResponseValidator] { handler.validators }

    /// The handler's own. A page that a link names must not be redirected to another origin.
    public func options(for place: PagePlace<T.RequestDataType>) -> RequestOptions {
        var options = handler.options(for: place.input)
        if place.link != nil { options.redirects.crossOriginRefusal = Self.crossOriginLink }
        return options
    }

    private static var crossOriginLink: String { "the server's next link leads to another origin" }

    /// The handler's own; none for a page that a link names.
    ///
    /// - Throws: What the handler throws.
    public func body(for place: PagePlace<T.RequestDataType>) throws -> RequestBody? {
        place.link == nil ? try handler.body(for: place.input) : nil
    }

    /// Makes the request of a page.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` where it may not be asked for, and what the handler
    ///   throws.
    public func makeRequest(from place: PagePlace<T.RequestDataType>) throws -> URLRequest {
        let request = try request(for: place)
        let isRead = try place.link.map(place.past.contains) ?? place.past.contains(request, try body(for: place))
        guard !isRead else { throw ServiceError(.badResponse, "the next page is one that was read already") }
        return request
    }

    /// The handler's own.
    ///
    /// - Throws: What the handler throws.
    public func parseResponse(data: Data, head: ResponseHead) throws -> T.ResponseDataType {
        try handler.parseResponse(data: data, head: head)
    }

    /// The handler's own.
    ///
    /// - Throws: What the handler throws.
    public func parseResponse(data: Data, response: HTTPURLResponse) throws -> T.ResponseDataType {
        try handler.parseResponse(data: data, response: response)
    }

    /// Where the list goes on; nil at its end.
    func place(
        after loaded: Loaded<T.ResponseDataType>, at place: PagePlace<T.RequestDataType>
    ) throws(ServiceError) -> PagePlace<T.RequestDataType>? {
        let number = place.number < .max ? place.number + 1 : place.number
        do {
            let next = try handler.nextPage(after: loaded, from: place.input)
            if case .end = next { return nil }
            let request = try request(for: place)
            var past = place.past
            past.add(request, try body(for: place), answeredBy: loaded.head.url)
            switch next {
            case .end: return nil
            case .input(let input): return PagePlace(input, link: nil, number: number, past: past)
            case .link(let url):
                // What another server says must not lead back with the list's own credentials.
                guard Origin(loaded.head.url) == Origin(request.url) else {
                    throw ServiceError(.badResponse, "the page came from another origin, and names the next one")
                }
                return PagePlace(place.input, link: url, number: number, past: past)
            }
        } catch {
            throw ServiceError(wrapping: error, as: .badResponse, "the page does not tell where the next one is")
        }
    }

    private func request(for place: PagePlace<T.RequestDataType>) throws -> URLRequest {
        let own = try handler.makeRequest(from: place.input)
        guard let link = place.link else { return own }
        guard Origin(link) == Origin(own.url) else {
            throw ServiceError(.badResponse, Self.crossOriginLink)
        }
        guard link.user == nil, link.password == nil else {
            throw ServiceError(.badResponse, "the server's next link names a user")
        }
        return try handler.makeRequest(to: link, from: place.input)
    }
}
