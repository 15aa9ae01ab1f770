import Errand

/// A signature depends on the URL, so the request of a linked page is signed after its URL is set.
struct SignedGalleryAPI: APIHandler, PagedHandler {
    let gallery = GalleryAPI(environment: .production)
    let sign: @Sendable (URLRequest) throws -> URLRequest

    func makeRequest(from query: GalleryQuery) throws -> URLRequest {
        try sign(gallery.makeRequest(from: query))
    }

    func makeRequest(to link: PageLink, from query: GalleryQuery) throws -> URLRequest {
        try sign(link.applied(to: gallery.makeRequest(from: query)))
    }

    func parseResponse(data: Data, head: ResponseHead) throws -> [Photo] {
        try gallery.parseResponse(data: data, head: head)
    }
}
