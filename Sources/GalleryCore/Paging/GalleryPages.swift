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
        pages = APILoader(PhotoPages(call: call), session: session).pages(from: first, policy: policy)
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
struct PhotoPages<Call: GalleryHandler>: PagedHandler where Call.ResponseDataType: PhotoList {
    let call: Call

    var callName: String { call.callName }

    var validators: [ResponseValidator] { call.validators }

    func options(for data: Call.RequestDataType) -> RequestOptions { call.options(for: data) }

    func body(for data: Call.RequestDataType) throws -> RequestBody? { try call.body(for: data) }

    func makeRequest(from data: Call.RequestDataType) throws -> URLRequest { try call.makeRequest(from: data) }

    func makeRequest(to link: URL, from data: Call.RequestDataType) throws -> URLRequest {
        try call.galleryRequest(to: link)
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Call.ResponseDataType {
        try call.parseResponse(data: data, response: response)
    }

    func parseResponse(data: Data, head: ResponseHead) throws -> Call.ResponseDataType {
        try call.parseResponse(data: data, head: head)
    }

    func items(of page: Call.ResponseDataType) -> [GalleryModel] { page.photos }
}
