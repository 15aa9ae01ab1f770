public import Errand

/// Photos page after page: the first page by its query, the others by the `next` links of the `Link` fields.
///
/// ```swift
/// let feed = GalleryFeed(SearchAPI(environment: .production, accessKey: key))
/// for try await page in feed.pages(from: SearchQuery("dog"), limit: 3) { show(page.photos) }
/// ```
/// A page is asked for when the one before it has been read, never earlier.
public struct GalleryFeed<Call: GalleryHandler>: Sendable where Call.ResponseDataType: PhotoList {
    /// The most pages that one walk reads, whatever it was asked for: 1,000.
    public static var pageLimit: Int { PagingPolicy.mostPages }

    /// The call that reads a page.
    public let call: Call
    private let session: any APISession

    /// Makes a feed of a call that answers with photos.
    public init(_ call: Call, session: some APISession = .platform) {
        self.call = call
        self.session = session
    }

    /// The pages from a query on, until there is no `next` link or `limit` pages are read.
    public func pages(from query: Call.RequestDataType, limit: Int = 1) -> GalleryPages<Call> {
        GalleryPages(call: call, session: session, first: query, limit: min(limit, Self.pageLimit))
    }
}
