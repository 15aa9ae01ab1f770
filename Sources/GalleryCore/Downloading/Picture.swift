public import Errand

/// One picture to download: where it is, and what its file is to be called after.
public struct Picture: Sendable, Hashable, Identifiable {
    /// The photo's identifier.
    public let id: String
    /// Words for people, which the file's name begins with.
    public let words: String
    /// Which of the photo's pictures this is, such as `regular`; it ends the file's name.
    public let variant: String
    /// Where the picture is: http or https.
    public let address: URL

    /// Describes a picture.
    public init(id: String, words: String = "", variant: String, address: URL) {
        self.id = id
        self.words = words
        self.variant = variant
        self.address = address
    }
}
