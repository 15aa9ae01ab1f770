/// How a walk over pages goes.
public struct PagingPolicy: Sendable, Hashable {
    /// The most pages that a walk without a limit of its own reads: 1,000.
    public static let mostPages: Int = 1_000

    /// How many pages are wanted: the walk ends there, and the last one's ``Pages/Page/next`` tells whether there is more. Nil, the
    /// default: all of them, and more than ``mostPages`` are an error with ``ServiceError/Code/badResponse``.
    public var pageLimit: Int?
    /// Whether the next page is asked for while a page is being read: no.
    public var prefetches: Bool

    /// Makes a policy.
    public init(pageLimit: Int? = nil, prefetches: Bool = false) {
        self.pageLimit = pageLimit
        self.prefetches = prefetches
    }

    /// Whether another page may be asked for after so many.
    func allowsPage(after count: Int) throws(ServiceError) -> Bool {
        if let pageLimit { return count < pageLimit }
        guard count < Self.mostPages else {
            throw ServiceError(.badResponse, "the list has more than \(Self.mostPages) pages")
        }
        return true
    }
}
