public import Errand

/// A paged list of photos. A query selects the first page, and the `next` links of the `Link` headers select the
/// others.
///
/// ```swift
/// let feed = GalleryFeed(SearchAPI(environment: .production, accessKey: key))
/// for try await page in feed.pages(from: SearchQuery("dog"), limit: 3) { show(page.photos) }
/// ```
/// A page is requested only after the previous page was consumed.
public struct GalleryFeed<Call: GalleryHandler>: Sendable where Call.ResponseDataType: PhotoList {
    /// The upper bound of the page limit: 1,000.
    public static var pageLimit: Int { PagingPolicy.maximumPages }

    /// The API call that loads a page.
    public let call: Call
    private let session: any APISession

    /// Creates a feed from an API call that returns photos.
    public init(_ call: Call, session: some APISession = .platform) {
        self.call = call
        self.session = session
    }

    /// Returns the pages that start with a query. The sequence ends after `limit` pages, or at a page without a `next`
    /// link.
    public func pages(from query: Call.RequestDataType, limit: Int = 1) -> GalleryPages<Call> {
        GalleryPages(call: call, session: session, first: query, limit: min(limit, Self.pageLimit))
    }
}
