import Errand
import GalleryCore

/// The photos that a run is about, and what cut the list short, if anything did.
struct Listing: Sendable {
    private(set) var photos: [GalleryModel] = []
    private(set) var failure: ServiceError?

    /// Asks the API page by page; after a failure the pages read until then count. A photo that can't
    /// be read is left out of its page, which says so.
    init(_ place: APIPlace, _ options: FetchOptions, pageRead: (GalleryPage) -> Void) async {
        let (first, size) = (options.page, options.perPage)
        if let query = options.query {
            let call = SearchAPI(environment: place.environment, accessKey: place.accessKey)
            await read(call, SearchQuery(query, page: first, perPage: size), place, options.pages, pageRead)
        } else {
            let call = GalleryAPI(environment: place.environment, accessKey: place.accessKey)
            await read(call, GalleryQuery(page: first, perPage: size), place, options.pages, pageRead)
        }
    }

    private mutating func read<Call: GalleryHandler>(
        _ call: Call, _ query: Call.RequestDataType, _ place: APIPlace, _ limit: Int, _ pageRead: (GalleryPage) -> Void
    ) async where Call.ResponseDataType: PhotoList {
        let feed = GalleryFeed(LossyCall(call), session: place.session)
        do throws(ServiceError) {
            for try await page in feed.pages(from: query, limit: limit) {
                photos += page.photos
                pageRead(page)
            }
        } catch {
            failure = error
        }
    }
}
