@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel {
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
    public convenience init<Paged: PagedHandler>(
        pagesOf loader: APILoader<Paged>, policy: PagingPolicy = PagingPolicy(),
        join: @escaping LoadMore<Input, Value>.Join
    ) where T == PageCall<Paged> {
        let pages = loader.byPage
        let more = LoadMore<Input, Value>(
            next: { [call = pages.handler] place, answer in
                let next = try call.place(after: answer, at: place)
                return try next.flatMap { try policy.allowsPage(after: $0.past.count) ? $0 : nil }
            }, join: join)
        self.init(pages, more: more)
    }

    /// Makes a model of a plain list: each page is appended. Otherwise as ``init(pagesOf:policy:join:)``.
    public convenience init<Paged: PagedHandler>(
        pagesOf loader: APILoader<Paged>, policy: PagingPolicy = PagingPolicy()
    ) where T == PageCall<Paged>, Paged.ResponseDataType: RangeReplaceableCollection {
        self.init(pagesOf: loader, policy: policy) { shown, answer in shown + answer }
    }

    /// Loads the first page that an input leads to, as ``load(_:debounce:)``.
    public func load<Paged: PagedHandler>(
        _ input: Paged.RequestDataType, debounce: Duration = .zero
    ) where T == PageCall<Paged> {
        load(PagePlace(input), debounce: debounce)
    }
}
