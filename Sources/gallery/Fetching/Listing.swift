import Errand
import ErrandSupport
import GalleryCore

/// The pages of photos of a run, loaded one at a time on request. Invalid photos are skipped and listed in
/// ``GalleryPage/unreadable``.
actor Listing {
    private var read: (() async throws -> GalleryPage?)?
    /// The error that ended the list early, if any. The pages before it are valid.
    private(set) var failure: ServiceError?

    init(_ target: APITarget, _ options: GalleryOptions) {
        let (first, size, limit) = (options.paging.page, options.paging.perPage, options.paging.pages)
        if let query = options.query {
            let call = LossyCall(SearchAPI(environment: target.environment, accessKey: target.accessKey))
            let feed = GalleryFeed(call, session: target.catalogue)
            read = feed.pages(from: SearchQuery(query, page: first, perPage: size), limit: limit).makeReader()
        } else {
            let call = LossyCall(GalleryAPI(environment: target.environment, accessKey: target.accessKey))
            let feed = GalleryFeed(call, session: target.catalogue)
            read = feed.pages(from: GalleryQuery(page: first, perPage: size), limit: limit).makeReader()
        }
    }

    /// Loads the next page. Returns `nil` at the end and after a failure.
    func next() async -> GalleryPage? {
        guard let read = read.take() else { return nil }
        do {
            guard let page = try await read() else { return nil }
            self.read = read
            return page
        } catch {
            failure = ServiceError(wrapping: error, as: .transport, "the list can't be loaded")
            return nil
        }
    }
}
