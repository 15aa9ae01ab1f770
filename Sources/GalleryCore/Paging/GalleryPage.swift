public import Errand

/// An answer that holds photos: a list, or a search's page.
public protocol PhotoList: Sendable {
    /// The photos, in the server's order.
    var photos: [GalleryModel] { get }
    /// How many there are on all pages, where the answer's body says so.
    var totalInBody: Int? { get }
    /// Why each of the photos that could not be read was left out: none, unless the answer is read tolerantly.
    var unreadable: [any Error] { get }
}

extension PhotoList {
    /// None: one photo that can't be read fails the whole answer.
    public var unreadable: [any Error] { [] }
}

extension [GalleryModel]: PhotoList {
    /// The list itself.
    public var photos: [GalleryModel] { self }
    /// Nil: a list's count stands in the head.
    public var totalInBody: Int? { nil }
}

extension SearchPage: PhotoList where Element == GalleryModel {
    /// The hits.
    public var photos: [GalleryModel] { results }
    /// The count of all hits.
    public var totalInBody: Int? { total }
}

/// One page of a ``GalleryFeed``.
public struct GalleryPage: Sendable {
    /// Which page of this walk it is, from 1.
    public let number: Int
    /// The photos on it.
    public let photos: [GalleryModel]
    /// Why each of the photos that could not be read was left out; none unless the call is a ``LossyCall``.
    public let unreadable: [any Error]
    /// How many photos there are on all pages, where the server says so.
    public let total: Int?
    /// How many calls the server still allows, where it says so.
    public let rateLimit: RateLimit?
    /// The answer's head.
    public let head: ResponseHead

    init(number: Int, _ list: some PhotoList, _ head: ResponseHead) {
        self.number = number
        photos = list.photos
        unreadable = list.unreadable
        total = list.totalInBody ?? head.fields["X-Total"].flatMap { Int($0) }
        rateLimit = RateLimit(head: head)
        self.head = head
    }
}
