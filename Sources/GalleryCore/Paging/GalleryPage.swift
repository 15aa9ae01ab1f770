public import Errand

/// A response that contains photos: a list or a page of search results.
public protocol PhotoList: Sendable {
    /// The photos, in the server's order.
    var photos: [GalleryModel] { get }
    /// The number of photos on all pages, or `nil` if the response body does not contain it.
    var totalInBody: Int? { get }
    /// The decoding errors of the skipped photos. Empty unless the response is decoded leniently.
    var unreadable: [any Error] { get }
}

extension PhotoList {
    /// An empty array. One invalid photo fails the complete response.
    public var unreadable: [any Error] { [] }
}

extension [GalleryModel]: PhotoList {
    /// The list itself.
    public var photos: [GalleryModel] { self }
    /// `nil`. The count of a list is in the response header.
    public var totalInBody: Int? { nil }
}

extension SearchPage: PhotoList where Element == GalleryModel {
    /// The results of the search.
    public var photos: [GalleryModel] { results }
    /// The number of results on all pages.
    public var totalInBody: Int? { total }
}

/// A page of a ``GalleryFeed``.
public struct GalleryPage: Sendable {
    /// The index of the page in this sequence, counted from 1.
    public let number: Int
    /// The photos on it.
    public let photos: [GalleryModel]
    /// The decoding errors of the skipped photos. Empty unless the API call is a ``LossyCall``.
    public let unreadable: [any Error]
    /// The number of photos on all pages, or `nil` if the server does not send it.
    public let total: Int?
    /// The hourly rate limit, or `nil` if the server does not send it.
    public let rateLimit: RateLimit?
    /// The status and the headers of the response.
    public let head: ResponseHead

    init(number: Int, _ list: some PhotoList, _ head: ResponseHead) {
        self.number = number
        photos = list.photos
        unreadable = list.unreadable
        total = list.totalInBody ?? head.headers["X-Total"].flatMap { Int($0) }
        rateLimit = RateLimit(head: head)
        self.head = head
    }
}
