public import Errand

/// The pages of a ``GalleryFeed``, one after the other; an error ends them.
public struct GalleryPages<Call: GalleryHandler>: AsyncSequence, Sendable where Call.ResponseDataType: PhotoList {
    /// What it gives.
    public typealias Element = GalleryPage
    /// What it throws.
    public typealias Failure = ServiceError

    private let pages: Pages<PhotoPages<Call>>

    init(call: Call, session: any APISession, first: Call.RequestDataType, limit: Int) {
        let policy = PagingPolicy(pageLimit: limit)
        pages = APILoader(PhotoPages(wrapped: call), session: session).pages(from: first, policy: policy)
    }

    /// Starts from the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }
}

extension GalleryPages {
    /// Reads one page at a time.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<PhotoPages<Call>>.Iterator

        /// Asks for the next page; nil at the end.
        ///
        /// - Throws: ``/Errand/ServiceError``: what the call throws; ``/Errand/ServiceError/Code/configuration`` for a
        ///   `next` link that leaves the API's route; ``/Errand/ServiceError/Code/badResponse`` for one that leads to another
        ///   origin, is no address, or leads back to a page that was read. The page that had the link was given before.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> GalleryPage? {
            guard let page = try await pages.next(isolation: actor) else { return nil }
            return GalleryPage(number: page.number, page.value, page.head)
        }

        /// Asks for the next page; nil at the end.
        ///
        /// - Throws: ``/Errand/ServiceError``, as ``next(isolation:)`` does.
        public mutating func next() async throws(ServiceError) -> GalleryPage? {
            try await next(isolation: nil)
        }
    }
}

/// A call for photos as pages: what a link names is checked, and asked for, as the API's own.
struct PhotoPages<Call: GalleryHandler>: PagedHandler, WrappingHandler where Call.ResponseDataType: PhotoList {
    let wrapped: Call

    func makeRequest(to link: PageLink, from data: Call.RequestDataType) throws -> URLRequest {
        let request = try link.applied(to: wrapped.makeRequest(from: data))
        if let url = request.url { try wrapped.environment.checkOwn(url) }
        return request
    }

    func items(of page: Call.ResponseDataType) -> [GalleryModel] { page.photos }
}
