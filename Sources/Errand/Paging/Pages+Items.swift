extension Pages {
    /// What is on the pages of a list, one after the other.
    ///
    /// ```swift
    /// for try await photo in loader.pages(from: GalleryQuery()).items { show(photo) }
    /// ```
    public struct Items: AsyncSequence, Sendable {
        /// What it gives.
        public typealias Element = T.Item
        /// What it throws.
        public typealias Failure = ServiceError

        let pages: Pages<T>

        /// Starts from the first page.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

        /// Reads one page at a time.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var pages: Pages<T>.Iterator
            private var items = [T.Item]()[...]

            fileprivate init(pages: Pages<T>.Iterator) {
                self.pages = pages
            }

            /// The next one, of the next page where this one is read; nil at the end.
            ///
            /// - Throws: ``ServiceError``, as ``Pages/Iterator/next(isolation:)`` does.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> T.Item? {
                while true {
                    if let item = items.popFirst() { return item }
                    items = []  // lets go of the page that was read
                    guard let page = try await pages.next(isolation: actor) else { return nil }
                    items = page.items[...]
                }
            }

            /// The next one; nil at the end.
            ///
            /// - Throws: ``ServiceError``, as ``next(isolation:)`` does.
            public mutating func next() async throws(ServiceError) -> T.Item? {
                try await next(isolation: nil)
            }
        }
    }
}
