/// The API call for the page at a position of a list. Page sequences and models of lists use it.
///
/// A link to an origin other than the list's is an error. So is a link that redirects to another origin, and a link
/// to a page that has already been loaded. Everything else is forwarded to the wrapped handler.
struct PageCall<T: PagedHandler>: WrappingHandler {
    let wrapped: T

    /// The options of the wrapped handler. A linked page must not be redirected to another origin.
    func options(for position: PagePosition<T.RequestDataType>) -> RequestOptions {
        var options = wrapped.options(for: position.input)
        if position.link != nil { options.redirects.crossOriginRefusal = PageLink.crossOrigin }
        return options
    }

    /// The body of the wrapped handler, or `nil` for a linked page.
    ///
    /// - Throws: The error of the wrapped handler.
    func body(for position: PagePosition<T.RequestDataType>) throws -> RequestBody? {
        position.link == nil ? try wrapped.body(for: position.input) : nil
    }

    func makeRequest(from position: PagePosition<T.RequestDataType>) throws -> URLRequest {
        guard let link = position.link else { return try wrapped.makeRequest(from: position.input) }
        let request = try wrapped.makeRequest(to: PageLink(url: link), from: position.input)
        // Only the URL of the link was checked. A handler may append to its query, such as a signature.
        guard let url = request.url, Self.isExtension(url, of: link) else {
            throw ServiceError(
                .configuration,
                "expected makeRequest(to:from:) to keep the link or to append to its query, found a request for another URL"
            )
        }
        return request
    }

    /// Returns whether a URL is a link with the same or a longer query. The percent-encoding may differ, because
    /// `URLComponents` changes it.
    private static func isExtension(_ url: URL, of link: URL) -> Bool {
        guard Origin(url) == Origin(link), url.path(percentEncoded: false) == link.path(percentEncoded: false),
            url.user == nil, url.password == nil, url.fragment == nil
        else { return false }
        let query = url.query(percentEncoded: false) ?? ""
        guard let linked = link.query(percentEncoded: false), !linked.isEmpty else { return true }
        return query == linked || query.hasPrefix(linked + "&")
    }

    /// Throws an error if the page has already been loaded. Returns the record of the request.
    static func check(
        _ request: APIRequest, at position: PagePosition<T.RequestDataType>
    ) throws(ServiceError) -> LoadedPages.Sent {
        let sent = LoadedPages.Sent(request)
        guard !(position.link.map(position.past.contains) ?? position.past.contains(sent)) else {
            throw ServiceError(.badResponse, "expected a new page, found a next page that has already been loaded")
        }
        return sent
    }

    /// Returns the position of the next page, or `nil` at the end of the list.
    func position(
        after loaded: Loaded<T.ResponseDataType>, _ sent: LoadedPages.Sent, at position: PagePosition<T.RequestDataType>
    ) throws(ServiceError) -> PagePosition<T.RequestDataType>? {
        let number = position.number < .max ? position.number + 1 : position.number
        do {
            let next = try wrapped.nextPage(after: loaded, from: position.input)
            var past = position.past
            past.add(sent, link: position.link, responseURL: loaded.head.url)
            switch next {
            case .end: return nil
            case .input(let input): return PagePosition(input, link: nil, number: number, past: past)
            case .link(let url):
                // A link from another server must not be followed with the credentials of the list.
                guard Origin(loaded.head.url) == sent.origin else {
                    throw ServiceError(
                        .badResponse, "expected a next link from the origin of the list, found one from another origin")
                }
                return PagePosition(position.input, link: PageLink.withoutFragment(url), number: number, past: past)
            }
        } catch {
            throw ServiceError(wrapping: error, as: .badResponse, "cannot determine the next page from the response")
        }
    }
}

extension APILoader {
    /// Loads a page, and determines the position of the next one. `configure` changes the options of the handler.
    func page<Paged: PagedHandler>(
        at position: PagePosition<Paged.RequestDataType>, configure: @Sendable (inout RequestOptions) -> Void = { _ in }
    ) async throws(ServiceError) -> (
        loaded: Loaded<Paged.ResponseDataType>, next: Result<PagePosition<Paged.RequestDataType>?, ServiceError>
    ) where T == PageCall<Paged> {
        let (loaded, sent) = try await response(position) { request throws(ServiceError) in
            configure(&request.options)
            return try T.check(request, at: position)
        }
        let next = Result { () throws(ServiceError) in try handler.position(after: loaded, sent, at: position) }
        return (loaded, next)
    }
}
