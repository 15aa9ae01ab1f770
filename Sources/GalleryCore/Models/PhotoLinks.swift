public import Errand

/// The URLs of a photo in the API and on the web. The server creates them, so they have the type `URL`.
public struct PhotoLinks: Sendable, Hashable {
    /// The photo in the API, `self` in the JSON.
    public var resource: URL
    /// The photo's web page.
    public var html: URL
    /// The download of the picture in a browser.
    public var download: URL
    /// The input of ``DownloadAPI``, which clients call when the user downloads the picture.
    public var downloadLocation: URL?
}

extension PhotoLinks: Codable {
    private enum CodingKeys: String, CodingKey {
        case html, download
        case resource = "self"
        case downloadLocation = "download_location"
    }
}
