public import Errand

/// A picture to download: its URL and the parts of its file name.
public struct Picture: Sendable, Hashable, Identifiable {
    /// The photo's identifier.
    public let id: String
    /// Descriptive words at the start of the file name.
    public let words: String
    /// The variant of the photo, such as `regular`. It is at the end of the file name.
    public let variant: String
    /// The http or https URL of the picture.
    public let url: URL

    /// Creates a picture.
    public init(id: String, words: String = "", variant: String, url: URL) {
        self.id = id
        self.words = words
        self.variant = variant
        self.url = url
    }
}

extension Picture {
    /// Creates a picture from one size of a photo.
    public init(_ photo: GalleryModel, size: PhotoSize) {
        self.init(id: photo.id, words: photo.slug ?? photo.title, variant: size.rawValue, url: photo.urls[size])
    }
}
