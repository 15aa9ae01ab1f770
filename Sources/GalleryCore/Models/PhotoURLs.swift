public import Errand

/// Where a picture is, in each size.
///
/// The addresses are the server's own and parse as such, hence `URL`. They point to other hosts than the API: no access
/// key is ever sent there.
public struct PhotoURLs: Sendable, Hashable {
    /// The original, for sizes of your own.
    public var raw: URL
    /// Full size, as JPEG.
    public var full: URL
    /// 1080 pixels wide.
    public var regular: URL
    /// 400 pixels wide.
    public var small: URL
    /// 200 pixels wide.
    public var thumb: URL
    /// 400 pixels wide, at the storage's own address.
    public var smallS3: URL?
}

extension PhotoURLs: Codable {
    private enum CodingKeys: String, CodingKey {
        case raw, full, regular, small, thumb
        case smallS3 = "small_s3"
    }
}

/// A size that every picture is there in.
public enum PhotoSize: String, Sendable, Hashable, CaseIterable {
    /// 200 pixels wide.
    case thumb
    /// 400 pixels wide.
    case small
    /// 1080 pixels wide.
    case regular
    /// Full size.
    case full
    /// The original.
    case raw
}

extension PhotoURLs {
    /// The address of one size.
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
