package import Errand

/// The width and height of a picture in pixels, from its header.
package struct PictureSize: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// Parses the header of a PNG, JPEG, WebP or GIF picture.
    ///
    /// Returns `nil` for a header that is invalid or has no pixels, and for the format AVIF.
    package init?(of data: Data, _ format: PictureFormat) {
        let bytes = HeaderBytes(data: data)
        let size: (width: Int?, height: Int?)
        switch format {
        case .png where bytes.data.dropFirst(12).starts(with: "IHDR".utf8):
            // The width has 31 bits (PNG specification, section 11.2.1).
            size = (bytes.number([16, 17, 18, 19]), bytes.number([20, 21, 22, 23]))
        case .gif: size = (bytes.number([7, 6]), bytes.number([9, 8]))
        case .jpeg:
            guard let frame = Self.frame(of: bytes) else { return nil }
            size = (bytes.number([frame + 7, frame + 8]), bytes.number([frame + 5, frame + 6]))
        case .webp: size = Self.webP(bytes)
        case .png, .avif: return nil
        }
        guard let width = size.width, let height = size.height, width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// Parses the first chunk of a WebP picture (RFC 9649, sections 2.5 to 2.7).
    private static func webP(_ bytes: HeaderBytes) -> (width: Int?, height: Int?) {
        switch bytes.data.dropFirst(12).prefix(4) {
        case Data("VP8X".utf8):
            return (bytes.number([26, 25, 24]).map { $0 + 1 }, bytes.number([29, 28, 27]).map { $0 + 1 })
        case Data("VP8 ".utf8):
            // The upper 2 bits are the scale (RFC 6386, section 9.1).
            return (bytes.number([27, 26]).map { $0 & 0x3FFF }, bytes.number([29, 28]).map { $0 & 0x3FFF })
        case Data("VP8L".utf8):
            // 14 bits for the width, and then 14 bits for the height (RFC 9649, section 3.4).
            let height = bytes.number([24, 23, 22]).map { ($0 >> 6) & 0x3FFF }
            return (bytes.number([22, 21]).map { ($0 & 0x3FFF) + 1 }, height.map { $0 + 1 })
        default: return (nil, nil)
        }
    }

    /// Returns the offset of the marker of the first frame (ITU T.81, section B.2.2). Each step moves forward by at
    /// least 2 bytes, so the search ends.
    private static func frame(of bytes: HeaderBytes) -> Int? {
        var offset = 2
        while let marker = bytes.number([offset, offset + 1]), marker >> 8 == 0xFF {
            let isFrame = (0xFFC0...0xFFCF).contains(marker) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
            if isFrame { return offset }
            guard let length = bytes.number([offset + 2, offset + 3]) else { return nil }
            offset += 2 + length
        }
        return nil
    }
}

/// Reads numbers at untrusted offsets.
private struct HeaderBytes {
    let data: Data

    /// Returns the number of the bytes at these offsets, the most significant one first. At most four bytes.
    func number(_ offsets: [Int]) -> Int? {
        var result: UInt32 = 0
        for offset in offsets {
            guard offset >= 0, offset < data.count else { return nil }
            result = result << 8 | UInt32(data[data.startIndex + offset])
        }
        return Int(exactly: result)
    }
}
