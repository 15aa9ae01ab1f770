public import Errand

/// The paths of the gallery's API, relative to its base URL.
public enum GalleryPath: Sendable, Hashable, APIPathConvertible {
    /// The editorial list of photos.
    case photos
    /// One photo.
    case photo(id: String)
    /// A random photo.
    case randomPhoto
    /// Photos that match a text.
    case searchPhotos
    /// The photos of one user.
    case userPhotos(username: String)

    /// The path template with its values.
    public var path: APIPath {
        switch self {
        case .photos: "/photos"
        case .photo(let id): "/photos/\(id)"
        case .randomPhoto: "/photos/random"
        case .searchPhotos: "/search/photos"
        case .userPhotos(let username): "/users/\(username)/photos"
        }
    }
}
