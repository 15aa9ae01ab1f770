internal import Errand

extension Picture {
    /// One size of a photo.
    public init(_ photo: GalleryModel, size: PhotoSize) {
        self.init(id: photo.id, words: photo.slug ?? photo.title, variant: size.rawValue, address: photo.urls[size])
    }
}
