/// The call for one page of a list, given its place: what walks and models of lists send.
///
/// A link to another origin than the list's own is an error. So is one that a redirect takes there, and one that leads back
/// to a page that was read. Everything else is the handler's own.
struct PageCall<T: PagedHandler>: WrappingHandler {
    let wrapped: T

    /// The handler's own. A page that a link names must not be redirected to another origin.
    func options(for place: PagePlace<T.RequestDataType>) -> RequestOptions {
        var options = wrapped.options(for: place.input)
        if place.link != nil { options.redirects.crossOriginRefusal = PageLink.crossOrigin }
        return options
    }

    /// The handler's own; none for a page that a link names.
    ///
    /// - Throws: What the handler throws.
    func body(for place: PagePlace<T.RequestDataType>) throws -> RequestBody? {
        place.link == nil ? try wrapped.body(for: place.input) : nil
    }

    func makeRequest(from place: PagePlace<T.RequestDataType>) throws -> URLRequest {
        guard let link = place.link else { return try wrapped.makeRequest(from: place.input) }
        let request = try wrapped.makeRequest(to: PageLink(url: link), from: place.input)
        // The link was checked, another URL was not. A handler may append to the query, such as a signature.
        let extended = link.absoluteString + (link.query() == nil ? "?" : "&")
        guard let url = request.url, url == link || url.absoluteString.hasPrefix(extended) else {
            throw ServiceError(
                .configuration,
                "expected makeRequest(to:from:) to keep the link or to append to its query, found a request for another URL"
            )
        }
        return request
    }

    /// Refuses a page that was read already. Returns what is kept of the request.
    static func check(
        _ request: APIRequest, at place: PagePlace<T.RequestDataType>
    ) throws(ServiceError) -> PastPages.Sent {
        let sent = PastPages.Sent(request)
        guard !(place.link.map(place.past.contains) ?? place.past.contains(sent)) else {
            throw ServiceError(.badResponse, "the next page is one that was read already")
        }
        return sent
    }

    /// Where the list goes on; nil at its end.
    func place(
        after loaded: Loaded<T.ResponseDataType>, _ sent: PastPages.Sent, at place: PagePlace<T.RequestDataType>
    ) throws(ServiceError) -> PagePlace<T.RequestDataType>? {
        let number = place.number < .max ? place.number + 1 : place.number
        do {
            let next = try wrapped.nextPage(after: loaded, from: place.input)
            var past = place.past
            past.add(sent, link: place.link, answeredBy: loaded.head.url)
            switch next {
            case .end: return nil
            case .input(let input): return PagePlace(input, link: nil, number: number, past: past)
            case .link(let url):
                // What another server says must not lead back with the list's own credentials.
                guard Origin(loaded.head.url) == sent.origin else {
                    throw ServiceError(.badResponse, "the page came from another origin, and names the next one")
                }
                return PagePlace(place.input, link: url, number: number, past: past)
            }
        } catch {
            throw ServiceError(wrapping: error, as: .badResponse, "the page does not tell where the next one is")
        }
    }
}

extension APILoader {
    /// Loads a page, and the place of the next one.
    func page<Paged: PagedHandler>(
        at place: PagePlace<Paged.RequestDataType>
    ) async throws(ServiceError) -> (
        loaded: Loaded<Paged.ResponseDataType>, next: Result<PagePlace<Paged.RequestDataType>?, ServiceError>
    ) where T == PageCall<Paged> {
        let (loaded, sent) = try await response(place) { request throws(ServiceError) in
            try T.check(request, at: place)
        }
        let next = Result { () throws(ServiceError) in try handler.place(after: loaded, sent, at: place) }
        return (loaded, next)
    }
}
