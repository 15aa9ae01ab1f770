public import Errand

/// The pages of a ``GalleryFeed``, one after the other; an error ends them.
public struct GalleryPages<Call: GalleryHandler>: AsyncSequence, Sendable where Call.ResponseDataType: PhotoList {
    /// What it gives.
    public typealias Element = GalleryPage
    /// What it throws.
    public typealias Failure = ServiceError

    let call: Call
    let session: any APISession
    let first: Call.RequestDataType
    let limit: Int

    /// Starts from the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: self)
    }
}

extension GalleryPages {
    /// Reads one page at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case first
            case after(ResponseHead)
            case end
        }

        private let pages: GalleryPages
        private var step: Step = .first
        private var visited: Set<String> = []
        private var count = 0

        init(pages: GalleryPages) {
            self.pages = pages
        }

        /// Asks for the next page; nil at the end.
        ///
        /// - Throws: ``Errand/ServiceError``: what the call throws; ``Errand/ServiceError/Code/configuration`` for a
        ///   `next` link that leaves the API; ``Errand/ServiceError/Code/badResponse`` for one that is no address or
        ///   leads back to a page that was read. The page that had the link was given before.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> GalleryPage? {
            let current = step
            step = .end
            guard count < pages.limit, let loaded = try await load(current) else { return nil }
            count += 1
            // Where the link led, and where a redirect from there did.
            visited.insert(loaded.head.url.absoluteString)
            step = .after(loaded.head)
            return GalleryPage(number: count, loaded.value, loaded.head)
        }

        /// Asks for the next page; nil at the end.
        ///
        /// - Throws: ``Errand/ServiceError``, as ``next(isolation:)`` does.
        public mutating func next() async throws(ServiceError) -> GalleryPage? {
            try await next(isolation: nil)
        }

        private mutating func load(_ step: Step) async throws(ServiceError) -> Loaded<Call.ResponseDataType>? {
            switch step {
            case .first:
                return try await APILoader(pages.call, session: pages.session).response(pages.first)
            case .after(let head):
                guard let link = try nextLink(in: head) else { return nil }
                let page = LinkedPage(call: pages.call, options: pages.call.options(for: pages.first))
                return try await APILoader(page, session: pages.session).response(link)
            case .end:
                return nil
            }
        }

        private mutating func nextLink(in head: ResponseHead) throws(ServiceError) -> URL? {
            guard let link = LinkHeader(head.fields).first("next") else { return nil }
            guard let url = link.url(relativeTo: head.url) else {
                throw ServiceError(.badResponse, "the server's next link is no address")
            }
            guard visited.insert(url.absoluteString).inserted else {
                throw ServiceError(.badResponse, "the server's next link leads back to a page that was read")
            }
            return url
        }
    }
}

/// A page of a call, by the address of a link: path and query are those of the link.
private struct LinkedPage<Call: GalleryHandler>: APIHandler {
    let call: Call
    let options: RequestOptions

    var validators: [ResponseValidator] { call.validators }

    func options(for link: URL) -> RequestOptions { options }

    func makeRequest(from link: URL) throws -> URLRequest { try call.galleryRequest(to: link) }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Call.ResponseDataType {
        try call.parseResponse(data: data, response: response)
    }
}
