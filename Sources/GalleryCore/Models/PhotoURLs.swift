public import Errand

/// The URLs of a picture in each size.
///
/// The server creates these URLs, so they have the type `URL`. They point to other hosts than the API. The access key
/// is never sent there.
public struct PhotoURLs: Sendable, Hashable {
    /// The original, to which parameters for custom sizes can be added.
    public var raw: URL
    /// The full size, as JPEG.
    public var full: URL
    /// 1080 pixels wide.
    public var regular: URL
    /// 400 pixels wide.
    public var small: URL
    /// 200 pixels wide.
    public var thumb: URL
    /// 400 pixels wide, at the URL of the storage.
    public var smallS3: URL?
}

extension PhotoURLs: Codable {
    private enum CodingKeys: String, CodingKey {
        case raw, full, regular, small, thumb
        case smallS3 = "small_s3"
    }
}

/// A size that is available for every picture.
public enum PhotoSize: String, Sendable, Hashable, CaseIterable {
    /// 200 pixels wide.
    case thumb
    /// 400 pixels wide.
    case small
    /// 1080 pixels wide.
    case regular
    /// The full size.
    case full
    /// The original.
    case raw
}

extension PhotoURLs {
    /// Returns the URL of a size.
    public subscript(size: PhotoSize) -> URL {
        switch size {
        case .thumb: thumb
        case .small: small
        case .regular: regular
        case .full: full
        case .raw: raw
        }
    }
}
