public import Errand

/// Where a user's things are: addresses of the server's own making, hence `URL`.
public struct UserLinks: Sendable, Hashable {
    /// The user in the API; `self` in the JSON.
    public var resource: URL
    /// The user's web page.
    public var html: URL
    /// The user's photos in the API.
    public var photos: URL
    /// The photos that the user likes, in the API.
    public var likes: URL?
    /// The way to the user's own pages.
    public var portfolio: URL?
    /// Whom the user follows.
    public var following: URL?
    /// Who follows the user.
    public var followers: URL?
}

extension UserLinks: Codable {
    private enum CodingKeys: String, CodingKey {
        case html, photos, likes, portfolio, following, followers
        case resource = "self"
    }
}
