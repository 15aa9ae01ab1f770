public import Errand

/// A complete picture on disk.
public struct PictureFile: Sendable, Hashable {
    /// The file name with its extension.
    public let name: String
    /// The size in bytes.
    public let bytes: Int
    private let folder: URL

    init(_ name: String, in folder: URL, bytes: Int) {
        self.name = name
        self.folder = folder
        self.bytes = bytes
    }

    /// The URL of the file.
    public var url: URL { folder.appending(path: name, directoryHint: .notDirectory) }
}
