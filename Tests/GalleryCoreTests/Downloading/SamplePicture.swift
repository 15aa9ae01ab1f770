import Errand
import GalleryCore

/// The smallest pictures of each kind that have every part which the checks look at.
enum SamplePicture {
    static func data(_ format: PictureFormat) -> Data {
        switch format {
        case .png: png
        case .jpeg: jpeg
        case .webp: webp
        case .gif: gif
        case .avif: avif
        }
    }

    static let png: Data =
        pngSignature + chunk("IHDR", 13) + chunk("IDAT", 40) + chunk("IEND", 0)

    static let pngSignature: Data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// An Exif segment holds a thumbnail with an end mark of its own; a fill byte stands before one of the marks.
    static let jpeg: Data =
        Data([0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x08, 0xFF, 0xD8, 0xFF, 0xD9, 0x00, 0x00])
        + Data([0xFF, 0xFF, 0xDB, 0x00, 0x03, 0x00, 0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00])
        + Data([0xAB, 0xFF, 0x00, 0xCD, 0xFF, 0xD0, 0x12, 0xFF, 0xD9])

    static let webp: Data =
        Data("RIFF".utf8) + Data([20, 0, 0, 0]) + Data("WEBPVP8L".utf8) + Data(repeating: 7, count: 12)

    static let gif: Data =
        Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
        + Data([0x21, 0xF9, 4, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B])

    static let avif: Data =
        box("ftyp", Data("mif1\0\0\0\0mif1avif".utf8)) + box("meta", Data(count: 9)) + box("mdat", Data(count: 30))

    static func chunk(_ type: String, _ length: UInt8) -> Data {
        let content = Data(type.utf8) + Data(count: Int(length))
        let sum = CRC32.checksum(content)
        return Data([0, 0, 0, length]) + content + Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) })
    }

    private static func box(_ type: String, _ content: Data) -> Data {
        Data([0, 0, 0, UInt8(content.count + 8)]) + Data(type.utf8) + content
    }
}
