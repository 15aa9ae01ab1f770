extension APILoader where T: PagedHandler {
    /// The pages of a list, one after the other, from the one that an input leads to.
    ///
    /// ```swift
    /// for try await page in loader.pages(from: GalleryQuery()) { show(page.items) }
    /// ```
    /// - Parameters:
    ///   - input: What the first page is asked for with.
    ///   - policy: How many at most, and whether one is asked for ahead.
    /// - Returns: The pages; nothing is sent before the first is asked for, and each iteration starts anew.
    public func pages(from input: T.RequestDataType, policy: PagingPolicy = PagingPolicy()) -> Pages<T> {
        pages(from: PagePlace(input), policy: policy)
    }

    /// The pages of a list from where an earlier walk stopped: its last page's ``Pages/Page/next``.
    public func pages(
        from place: PagePlace<T.RequestDataType>, policy: PagingPolicy = PagingPolicy()
    ) -> Pages<T> {
        Pages(loader: self, start: place, policy: policy)
    }

    /// The same loader for one page at a time.
    var byPage: APILoader<PageCall<T>> { running(PageCall(wrapped: handler)) }
}

/// The pages of a list, one after the other; an error ends them, after the page that brought it.
///
/// One page is held at a time, with ``PagingPolicy/prefetches`` one more. A page that was read already ends the walk with
/// ``ServiceError/Code/badResponse``, as does a link to another origin: what the first page's request carries is meant for
/// its own. Whoever leaves the loop, or is cancelled, ends the request that is under way.
public struct Pages<T: PagedHandler>: AsyncSequence, Sendable {
    /// What it gives.
    public typealias Element = Pages<T>.Page
    /// What it throws.
    public typealias Failure = ServiceError

    let loader: APILoader<T>
    let start: PagePlace<T.RequestDataType>
    let policy: PagingPolicy

    /// What is on the pages, one after the other.
    public var items: Pages<T>.Items { Items(pages: self) }

    /// Starts from the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Pages {
    /// Reads one page at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case at(PagePlace<T.RequestDataType>)
            case failed(ServiceError)
            case end
        }

        private let walk: PageWalk<T>
        private let policy: PagingPolicy
        private var step: Step
        private var count = 0
        private var ahead: PageAhead<T>?

        init(_ pages: Pages) {
            walk = PageWalk(loader: pages.loader.byPage)
            policy = pages.policy
            step = .at(pages.start.start)
        }

        /// Asks for the next page; nil at the end.
        ///
        /// - Throws: ``ServiceError``: what the call throws; ``ServiceError/Code/badResponse`` where a page leads to another
        ///   origin, or back to one that was read, or does not tell, and where there are too many.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> Pages<T>.Page? {
            let current = step
            step = .end
            switch current {
            case .end: return nil
            case .failed(let error): throw error
            case .at(let place):
                guard try policy.allowsPage(after: count) else { return nil }
                let page =
                    if let ahead = ahead.take() { try await ahead.page() } else { try await walk.page(at: place) }
                count += 1
                goOn(after: page)
                return page
            }
        }

        /// Asks for the next page; nil at the end.
        ///
        /// - Throws: ``ServiceError``, as ``next(isolation:)`` does.
        public mutating func next() async throws(ServiceError) -> Pages<T>.Page? {
            try await next(isolation: nil)
        }

        private mutating func goOn(after page: Pages<T>.Page) {
            do throws(ServiceError) {
                guard let place = try page.following.get() else { return }
                step = .at(place)
                guard policy.prefetches, try policy.allowsPage(after: count) else { return }
                ahead = PageAhead(walk, place)
            } catch {
                step = .failed(error)
            }
        }
    }
}
