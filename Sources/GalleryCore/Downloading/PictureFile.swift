public import Errand

/// A complete picture on disk.
public struct PictureFile: Sendable, Hashable {
    /// The file's name, extension included.
    public let name: String
    /// Its size.
    public let bytes: Int
    private let folder: URL

    init(_ name: String, in folder: URL, bytes: Int) {
        self.name = name
        self.folder = folder
        self.bytes = bytes
    }

    /// Where it is.
    public var url: URL { folder.appending(path: name, directoryHint: .notDirectory) }
}
