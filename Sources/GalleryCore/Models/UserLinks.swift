public import Errand

/// The URLs of a user in the API and on the web. The server creates them, so they have the type `URL`.
public struct UserLinks: Sendable, Hashable {
    /// The user in the API, `self` in the JSON.
    public var resource: URL
    /// The user's web page.
    public var html: URL
    /// The user's photos in the API.
    public var photos: URL
    /// The photos liked by the user, in the API.
    public var likes: URL?
    /// The redirect to the user's website, in the API.
    public var portfolio: URL?
    /// The users followed by the user, in the API.
    public var following: URL?
    /// The followers of the user, in the API.
    public var followers: URL?
}

extension UserLinks: Codable {
    private enum CodingKeys: String, CodingKey {
        case html, photos, likes, portfolio, following, followers
        case resource = "self"
    }
}
