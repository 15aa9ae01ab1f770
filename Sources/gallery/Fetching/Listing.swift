import Errand
import GalleryCore

/// The pages of photos that a run is about, read one after the other when they are asked for. A photo that can't be read is
/// left out of its page, which says so.
actor Listing {
    private var pages: (any AsyncIteratorProtocol<GalleryPage, ServiceError>)?
    /// What cut the list short, if anything did; the pages read until then count.
    private(set) var failure: ServiceError?

    init(_ place: APIPlace, _ options: GalleryOptions) {
        let (first, size, limit) = (options.paging.page, options.paging.perPage, options.paging.pages)
        if let query = options.query {
            let call = LossyCall(SearchAPI(environment: place.environment, accessKey: place.accessKey))
            let feed = GalleryFeed(call, session: place.session)
            pages = feed.pages(from: SearchQuery(query, page: first, perPage: size), limit: limit).makeAsyncIterator()
        } else {
            let call = LossyCall(GalleryAPI(environment: place.environment, accessKey: place.accessKey))
            let feed = GalleryFeed(call, session: place.session)
            pages = feed.pages(from: GalleryQuery(page: first, perPage: size), limit: limit).makeAsyncIterator()
        }
    }

    /// The next page; nil at the end, and after a failure.
    func next() async -> GalleryPage? {
        guard var iterator = pages.take() else { return nil }
        do throws(ServiceError) {
            guard let page = try await iterator.next(isolation: self) else { return nil }
            pages = iterator
            return page
        } catch {
            failure = error
            return nil
        }
    }
}
