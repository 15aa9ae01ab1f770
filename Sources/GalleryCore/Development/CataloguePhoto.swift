internal import Errand

/// A picture of the bundled catalogue, as described in `catalogue.json`, or an uploaded picture.
struct CataloguePhoto: Decodable, Sendable {
    let file: String
    let id: String
    let slug: String
    let createdAt: Date
    let updatedAt: Date
    let width: Int
    let height: Int
    let color: String?
    let blurHash: String?
    let description: String?
    let altDescription: String?
    let likes: Int
    let views: Int
    let downloads: Int
    let tags: [String]
    let exif: Exif
    let location: PhotoLocation
    var user: Photographer

    private enum CodingKeys: String, CodingKey {
        case file, id, slug, width, height, color, description, likes, views, downloads, tags, exif, location, user
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case blurHash = "blur_hash"
        case altDescription = "alt_description"
    }

    /// The photographer of a picture.
    struct Photographer: Decodable, Sendable {
        let id: String
        let updatedAt: Date
        let username: String
        let name: String
        let firstName: String?
        let lastName: String?
        let portfolioURL: String?
        let bio: String?
        let location: String?
        let totalLikes: Int
        var totalPhotos: Int
        let totalCollections: Int

        private enum CodingKeys: String, CodingKey {
            case id, username, name, bio, location
            case updatedAt = "updated_at"
            case firstName = "first_name"
            case lastName = "last_name"
            case portfolioURL = "portfolio_url"
            case totalLikes = "total_likes"
            case totalPhotos = "total_photos"
            case totalCollections = "total_collections"
        }
    }
}

extension CataloguePhoto {
    var orientation: PhotoOrientation {
        width == height ? .squarish : width > height ? .landscape : .portrait
    }

    /// Whether each word of a text occurs in the descriptions, the tags or the photographer's names. Case and accents
    /// are ignored.
    func matches(_ query: String) -> Bool {
        let texts = [description, altDescription, user.name, user.username].compactMap(\.self) + tags
        let text = texts.joined(separator: "\n").folded
        return query.folded.split(whereSeparator: \.isWhitespace).allSatisfy { text.contains($0) }
    }
}

extension String {
    fileprivate var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
