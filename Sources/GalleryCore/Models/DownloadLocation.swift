public import Errand

/// Where a picture that was asked for with ``DownloadAPI`` can be fetched.
///
/// It is on another host than the API: the access key is not for it.
public struct DownloadLocation: Sendable, Hashable, Codable {
    /// The picture's address.
    public var url: URL
}
