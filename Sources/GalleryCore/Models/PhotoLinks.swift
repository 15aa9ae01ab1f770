public import Errand

/// Where a photo is in the API and on the web: addresses of the server's own making, hence `URL`.
public struct PhotoLinks: Sendable, Hashable {
    /// The photo in the API; `self` in the JSON.
    public var resource: URL
    /// The photo's web page.
    public var html: URL
    /// The picture, for a browser.
    public var download: URL
    /// What a client asks when its user downloads the picture, with ``DownloadAPI``.
    public var downloadLocation: URL?
}

extension PhotoLinks: Codable {
    private enum CodingKeys: String, CodingKey {
        case html, download
        case resource = "self"
        case downloadLocation = "download_location"
    }
}
