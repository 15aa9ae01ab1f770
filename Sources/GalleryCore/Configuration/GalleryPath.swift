public import Errand

/// The paths of the gallery's API, below its base address.
public enum GalleryPath: Sendable, Hashable, APIPathConvertible {
    /// The editors' list of photos.
    case photos
    /// One photo.
    case photo(id: String)
    /// A photo that the server chooses.
    case randomPhoto
    /// Photos that match a text.
    case searchPhotos
    /// The photos of one user.
    case userPhotos(username: String)

    /// The path's template with its values.
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
