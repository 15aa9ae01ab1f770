public import Errand

/// The page sequence of a ``GalleryFeed``. An error ends it.
public struct GalleryPages<Call: GalleryHandler>: AsyncSequence, Sendable where Call.ResponseDataType: PhotoList {
    /// The type of the pages.
    public typealias Element = GalleryPage
    /// The type of the errors.
    public typealias Failure = ServiceError

    private let pages: Pages<PhotoPages<Call>>

    init(call: Call, session: any APISession, first: Call.RequestDataType, limit: Int) {
        let policy = PagingPolicy(pageLimit: limit)
        pages = APILoader(PhotoPages(wrapped: call), session: session).pages(from: first, policy: policy)
    }

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }
}

extension GalleryPages {
    /// Loads one page at a time.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<PhotoPages<Call>>.Iterator

        /// Loads the next page. Returns `nil` at the end.
        ///
        /// - Throws: ``/Errand/ServiceError``: an error of the API call, ``/Errand/ServiceError/Code/configuration``
        ///   for a `next` link that is not below the API's base path, or ``/Errand/ServiceError/Code/badResponse`` for
        ///   a link that leads to another origin, is invalid, or leads back to an earlier page. The page with the link
        ///   is returned before the error.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> GalleryPage? {
            guard let page = try await pages.next(isolation: actor) else { return nil }
            return GalleryPage(number: page.number, page.value, page.head)
        }

        /// Loads the next page. Returns `nil` at the end.
        ///
        /// - Throws: ``/Errand/ServiceError``, as ``next(isolation:)`` does.
        public mutating func next() async throws(ServiceError) -> GalleryPage? {
            try await next(isolation: nil)
        }
    }
}

/// A paged API call for photos. The URL of each link is checked before a request with the access key is sent to it.
struct PhotoPages<Call: GalleryHandler>: PagedHandler, WrappingHandler where Call.ResponseDataType: PhotoList {
    let wrapped: Call

    func makeRequest(to link: PageLink, from data: Call.RequestDataType) throws -> URLRequest {
        let request = try link.applied(to: wrapped.makeRequest(from: data))
        if let url = request.url { try wrapped.environment.checkOwn(url) }
        return request
    }

    func items(of page: Call.ResponseDataType) -> [GalleryModel] { page.photos }
}
