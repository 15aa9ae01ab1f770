@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel where T: PagedHandler {
    /// Creates a model of a list. ``loadMore()`` loads the next page that the handler finds.
    ///
    /// ```swift
    /// let model = APIModel(pagesOf: APILoader(GalleryAPI(environment: .production)))
    /// model.load(GalleryQuery())
    /// ```
    /// If a response does not determine the next page, or its link must not be followed, ``loadMore()`` fails and the
    /// state keeps the value.
    /// - Parameters:
    ///   - loader: The loader that runs the API calls. Its time source is used for the debounce delay.
    ///   - policy: The maximum number of pages. Prefetching is not supported.
    ///   - join: Returns the value to show, from the shown value and the next page.
    public convenience init(
        pagesOf loader: APILoader<T>, policy: PagingPolicy = PagingPolicy(), join: @escaping More.Join
    ) {
        let pages = loader.byPage
        // `next` is not used, because each page is loaded with the position of the next one.
        let more = LoadRule<PagePosition<Input>, Value>(policy: policy, next: { _, _ in nil }, join: join)
        self.init(on: loader.time, more: more) { position, configure throws(ServiceError) in
            let (loaded, next) = try await pages.page(at: position, configure: configure)
            return (loaded, next)
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel where T: PagedHandler, T.ResponseDataType: RangeReplaceableCollection {
    /// Creates a model of a list like ``init(pagesOf:policy:join:)``. Each page is appended to the shown value.
    public convenience init(pagesOf loader: APILoader<T>, policy: PagingPolicy = PagingPolicy()) {
        self.init(pagesOf: loader, policy: policy) { shown, page in shown + page }
    }
}
