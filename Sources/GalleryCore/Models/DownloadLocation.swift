public import Errand

/// The response of ``DownloadAPI``: the URL of the picture.
///
/// It is on another host than the API. Do not send the access key there.
public struct DownloadLocation: Sendable, Hashable, Codable {
    /// The URL of the picture.
    public var url: URL
}
