/// The page limit and the prefetching of a page sequence.
public struct PagingPolicy: Sendable, Hashable {
    /// The maximum number of pages of a sequence without a ``pageLimit``: 1,000.
    public static let maximumPages: Int = 1_000

    /// The maximum number of pages. The sequence ends there, and ``Pages/Page/next`` of the last page is the position
    /// of the following page, if the list has one. If `nil` (the default), the sequence loads all pages, and more
    /// than ``maximumPages`` are an error with ``ServiceError/Code/badResponse``.
    public var pageLimit: Int?
    /// Whether the next page is requested while the current page is used. The default is `false`.
    public var prefetches: Bool

    /// Creates a policy.
    public init(pageLimit: Int? = nil, prefetches: Bool = false) {
        self.pageLimit = pageLimit
        self.prefetches = prefetches
    }

    /// Returns whether another page may be requested after `count` pages.
    func allowsPage(after count: Int) throws(ServiceError) -> Bool {
        if let pageLimit { return count < pageLimit }
        guard count < Self.maximumPages else {
            throw ServiceError(
                .badResponse, "expected at most \(Self.maximumPages) pages, found more: set a pageLimit to load more")
        }
        return true
    }
}
