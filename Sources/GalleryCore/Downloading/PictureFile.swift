public import Errand

/// A picture on disk, whole.
public struct PictureFile: Sendable, Hashable {
    /// Where it is.
    public let url: URL
    /// Its size.
    public let bytes: Int

    /// The file's name, extension included.
    public var name: String { url.lastPathComponent }
}
