/// Who pays for showing a photo.
public struct Sponsorship: Sendable, Hashable {
    /// What the sponsor counts views by: the sponsor's addresses, which may hold placeholders, hence texts.
    public var impressionURLs: [String]?
    /// What the sponsor says.
    public var tagline: String?
    /// Where that leads, as the sponsor typed it, hence a text.
    public var taglineURL: String?
    /// Who the sponsor is.
    public var sponsor: GalleryUser?
}

extension Sponsorship: Codable {
    private enum CodingKeys: String, CodingKey {
        case tagline, sponsor
        case impressionURLs = "impression_urls"
        case taglineURL = "tagline_url"
    }
}
