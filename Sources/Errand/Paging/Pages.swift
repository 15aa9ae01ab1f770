extension APILoader where T: PagedHandler {
    /// Returns a sequence of the pages of a list. It starts with the page for an input.
    ///
    /// ```swift
    /// for try await page in loader.pages(from: GalleryQuery()) { show(page.items) }
    /// ```
    /// - Parameters:
    ///   - input: The input of the first page.
    ///   - policy: The maximum number of pages, and whether the next page is prefetched.
    /// - Returns: The page sequence. It sends the first request when the first page is requested. Each iteration
    ///   starts from the beginning.
    public func pages(from input: T.RequestDataType, policy: PagingPolicy = PagingPolicy()) -> Pages<T> {
        pages(from: PagePosition(input), policy: policy)
    }

    /// Returns a sequence of the pages of a list. It starts at the ``Pages/Page/next`` position of an earlier
    /// sequence.
    public func pages(
        from position: PagePosition<T.RequestDataType>, policy: PagingPolicy = PagingPolicy()
    ) -> Pages<T> {
        Pages(loader: self, start: position, policy: policy)
    }

    /// A loader that loads one page at a time.
    var byPage: APILoader<PageCall<T>> { running(PageCall(wrapped: handler)) }
}

/// An asynchronous sequence of the pages of a list. An invalid next page ends it with an error, after the current
/// page.
///
/// The sequence holds one page at a time, or two with ``PagingPolicy/prefetches``. It throws
/// ``ServiceError/Code/badResponse`` if the next page has already been loaded. It also throws this error for a link
/// to another origin, because the headers of the first request, such as credentials, are intended for its own origin.
/// When the task leaves the loop or is cancelled, the current request is cancelled.
public struct Pages<T: PagedHandler>: AsyncSequence, Sendable {
    /// The type of a page.
    public typealias Element = Pages<T>.Page
    /// The type of the errors.
    public typealias Failure = ServiceError

    let loader: APILoader<T>
    let start: PagePosition<T.RequestDataType>
    let policy: PagingPolicy

    /// The items of all pages, in order.
    public var items: Pages<T>.Items { Items(pages: self) }

    /// Creates an iterator that starts with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Pages {
    /// An iterator that loads one page at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case at(PagePosition<T.RequestDataType>)
            case failed(ServiceError)
            case end
        }

        private let walk: PageLoader<T>
        private let policy: PagingPolicy
        private var step: Step
        private var count = 0
        private var ahead: PageAhead<T>?

        init(_ pages: Pages) {
            walk = PageLoader(loader: pages.loader.byPage)
            policy = pages.policy
            step = .at(pages.start.start)
        }

        /// Loads the next page. Returns `nil` at the end.
        ///
        /// - Throws: The ``ServiceError`` of the API call, or one with ``ServiceError/Code/badResponse`` if the next
        ///   page has another origin, has already been loaded or can't be determined, or if the list has too many
        ///   pages.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> Pages<T>.Page? {
            let current = step
            step = .end
            switch current {
            case .end: return nil
            case .failed(let error): throw error
            case .at(let position):
                guard try policy.allowsPage(after: count) else { return nil }
                let page =
                    if let ahead = ahead.take() { try await ahead.page() } else { try await walk.page(at: position) }
                count += 1
                resume(after: page)
                return page
            }
        }

        /// Loads the next page. Returns `nil` at the end.
        ///
        /// - Throws: ``ServiceError``, as ``next(isolation:)`` does.
        public mutating func next() async throws(ServiceError) -> Pages<T>.Page? {
            try await next(isolation: nil)
        }

        private mutating func resume(after page: Pages<T>.Page) {
            do throws(ServiceError) {
                guard let position = try page.following.get() else { return }
                step = .at(position)
                guard policy.prefetches, try policy.allowsPage(after: count) else { return }
                ahead = PageAhead(walk, position)
            } catch {
                step = .failed(error)
            }
        }
    }
}
