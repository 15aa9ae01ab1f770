public import Errand

/// The profile picture of a user in three sizes.
public struct ProfileImage: Sendable, Hashable, Codable {
    /// 32 pixels wide.
    public var small: URL
    /// 64 pixels wide.
    public var medium: URL
    /// 128 pixels wide.
    public var large: URL
}
