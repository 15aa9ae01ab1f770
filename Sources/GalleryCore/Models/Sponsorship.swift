/// The sponsorship of a photo.
public struct Sponsorship: Sendable, Hashable {
    /// The URLs with which the sponsor counts views. They are strings, because they may contain placeholders.
    public var impressionURLs: [String]?
    /// The sponsor's slogan.
    public var tagline: String?
    /// The URL that the tagline links to. It is a `String`, because the sponsor enters it.
    public var taglineURL: String?
    /// The sponsor.
    public var sponsor: GalleryUser?
}

extension Sponsorship: Codable {
    private enum CodingKeys: String, CodingKey {
        case tagline, sponsor
        case impressionURLs = "impression_urls"
        case taglineURL = "tagline_url"
    }
}
