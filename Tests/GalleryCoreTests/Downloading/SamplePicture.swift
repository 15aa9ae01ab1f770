import Errand
import GalleryCore

/// Data that begins like a picture of each format.
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

    static let png: Data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: 89)

    static let jpeg: Data = Data([0xFF, 0xD8, 0xFF, 0xE1]) + Data(count: 33)

    static let webp: Data = Data("RIFF".utf8) + Data([20, 0, 0, 0]) + Data("WEBPVP8L".utf8) + Data(count: 12)

    static let gif: Data = Data("GIF89a".utf8) + Data(count: 37)

    static let avif: Data = Data([0, 0, 0, 24]) + Data("ftypmif1\0\0\0\0mif1avif".utf8) + Data(count: 30)
}
