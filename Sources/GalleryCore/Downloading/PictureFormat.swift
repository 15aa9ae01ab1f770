public import Errand

/// A supported picture format, detected by its first bytes. The `Content-Type` of a response may be wrong, for example
/// for an HTML page that is declared as a picture.
public enum PictureFormat: String, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png
    /// JPEG, including JFIF and Exif.
    case jpeg
    /// WebP.
    case webp
    /// GIF, both versions.
    case gif
    /// AVIF, still or animated.
    case avif

    /// The number of bytes at the start of a file that are sufficient to detect its format.
    static let prefixLength = 256

    /// Detects the format by the first bytes. Returns `nil` for an unsupported format.
    public init?(of data: Data) {
        let bytes = Bytes(data)
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
            self = .png
        } else if bytes.has([0xFF, 0xD8, 0xFF], at: 0) {
            self = .jpeg
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self = .webp
        } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
            self = .gif
        } else if bytes.has("ftyp", at: 4), bytes.namesBrand(["avif", "avis"]) {
            self = .avif
        } else {
            return nil
        }
    }

    /// The file name extension, without the dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The media type, such as `image/png`.
    public var contentType: String { "image/\(rawValue)" }
}

/// Reads bytes at untrusted offsets. Bytes outside the data are `nil`.
private struct Bytes {
    private let data: Data

    init(_ data: Data) {
        self.data = data
    }

    private subscript(offset: Int) -> UInt8? {
        offset >= 0 && offset < data.count ? data[data.startIndex + offset] : nil
    }

    /// Compares byte by byte. Creating a slice to compare is slower for these few bytes.
    func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
        guard offset >= 0, expected.count <= data.count, offset <= data.count - expected.count else { return false }
        return zip(expected, (data.startIndex + offset)...).allSatisfy { data[$1] == $0 }
    }

    func has(_ text: String, at offset: Int) -> Bool { has(text.utf8, at: offset) }

    /// Returns the big-endian integer of `size` bytes.
    private func number(at offset: Int, size: Int) -> Int? {
        var result: UInt64 = 0
        for place in offset..<offset + size {
            guard let byte = self[place] else { return nil }
            result = result << 8 | UInt64(byte)
        }
        return Int(exactly: result)
    }

    /// Whether the `ftyp` box at the start (ISO/IEC 14496-12, section 4.3) contains one of the brands.
    func namesBrand(_ brands: [String]) -> Bool {
        guard let end = number(at: 0, size: 4) else { return false }
        let places = [8] + Array(stride(from: 16, to: min(end, data.count, PictureFormat.prefixLength), by: 4))
        return places.contains { place in brands.contains { has($0, at: place) } }
    }
}
