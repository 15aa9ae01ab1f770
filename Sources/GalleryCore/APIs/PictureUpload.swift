public import Errand

/// A picture file to upload, and its description.
public struct PictureUpload: Sendable, Hashable {
    /// The maximum size of a picture in bytes: 20 MB.
    public static let sizeLimit: Int = 20_000_000

    /// The URL of the file.
    public let file: URL
    /// The format of the file, detected by its first bytes.
    public let format: PictureFormat
    /// The size of the file in bytes.
    public let bytes: Int64
    /// The description, or `nil` for none.
    public let description: String?

    /// Checks a file. Reads only its first bytes.
    ///
    /// - Parameters:
    ///   - file: The URL of a regular file.
    ///   - description: The description. The default is none.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/encoding`` if the file can't be read, is
    ///   larger than ``sizeLimit``, or is not a picture of a known format.
    public init(_ file: URL, description: String? = nil) throws(ServiceError) {
        let size = try RegularFile(file).size
        guard size <= Int64(Self.sizeLimit) else {
            throw ServiceError(.encoding, "expected a picture of at most \(Self.sizeLimit) bytes, found \(size) bytes")
        }
        guard let format = PictureFormat(of: try Self.start(of: file)) else {
            throw ServiceError(.encoding, "expected a \(PictureFormat.names) picture, found another file")
        }
        self.file = file
        self.format = format
        bytes = size
        self.description = description
    }

    /// Reads the bytes that are sufficient to detect every format.
    private static func start(of file: URL) throws(ServiceError) -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            return try handle.read(upToCount: 256) ?? Data()
        } catch {
            throw ServiceError(.encoding, "the picture can't be read", underlying: error)
        }
    }
}

extension PictureFormat {
    /// The names of all formats for messages.
    static let names: String = "PNG, JPEG, WebP, GIF or AVIF"
}
