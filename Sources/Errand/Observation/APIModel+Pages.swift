@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel where T: PagedHandler {
    /// Makes a model of a list whose pages the handler names: ``loadMore()`` asks for the next one.
    ///
    /// ```swift
    /// let model = APIModel(pagesOf: APILoader(GalleryAPI(environment: .production)))
    /// model.load(GalleryQuery())
    /// ```
    /// Where an answer does not tell where the next page is, or tells what may not be followed, ``loadMore()`` fails and the
    /// value stays shown.
    /// - Parameters:
    ///   - loader: Runs the calls; a debounce waits on its time source.
    ///   - policy: How many pages at most; nothing is asked for ahead.
    ///   - join: What is shown of the value that is shown and the next page.
    public convenience init(
        pagesOf loader: APILoader<T>, policy: PagingPolicy = PagingPolicy(), join: @escaping More.Join
    ) {
        let pages = loader.byPage
        // Each answer comes with the place of the next page.
        let more = LoadRule<PagePlace<Input>, Value>(policy: policy, next: { _, _ in nil }, join: join)
        self.init(on: loader.time, more: more) { place throws(ServiceError) in
            let (loaded, next) = try await pages.page(at: place)
            return (loaded, next)
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel where T: PagedHandler, T.ResponseDataType: RangeReplaceableCollection {
    /// Makes a model of a plain list: each page is appended. Otherwise as ``init(pagesOf:policy:join:)``.
    public convenience init(pagesOf loader: APILoader<T>, policy: PagingPolicy = PagingPolicy()) {
        self.init(pagesOf: loader, policy: policy) { shown, answer in shown + answer }
    }
}
