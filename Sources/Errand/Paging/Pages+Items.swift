extension Pages {
    /// An asynchronous sequence of the items on all pages of a list.
    ///
    /// ```swift
    /// for try await photo in loader.pages(from: GalleryQuery()).items { show(photo) }
    /// ```
    public struct Items: AsyncSequence, Sendable {
        /// The type of an item.
        public typealias Element = T.Item
        /// The type of the errors.
        public typealias Failure = ServiceError

        let pages: Pages<T>

        /// Creates an iterator that starts with the first page.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

        /// An iterator that loads one page at a time.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var pages: Pages<T>.Iterator
            private var items = [T.Item]()[...]

            fileprivate init(pages: Pages<T>.Iterator) {
                self.pages = pages
            }

            /// Returns the next item, or `nil` at the end. Loads the next page after the last item of a page.
            ///
            /// - Throws: ``ServiceError``, as ``Pages/Iterator/next(isolation:)`` does.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> T.Item? {
                while true {
                    if let item = items.popFirst() { return item }
                    items = []  // releases the previous page before the next one is loaded
                    guard let page = try await pages.next(isolation: actor) else { return nil }
                    items = page.items[...]
                }
            }

            /// Returns the next item, or `nil` at the end.
            ///
            /// - Throws: ``ServiceError``, as ``next(isolation:)`` does.
            public mutating func next() async throws(ServiceError) -> T.Item? {
                try await next(isolation: nil)
            }
        }
    }
}
