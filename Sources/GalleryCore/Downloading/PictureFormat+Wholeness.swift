public import Errand

extension PictureFormat {
    /// Whether a picture of this kind is all there, by its own structure; no pixel is decoded.
    ///
    /// The end is found as each format defines it, so that bytes after the end, which some cameras and editors add, do
    /// no harm. A PNG has checksums of its own, and they must be right. A picture that was cut off is not whole; only an AVIF
    /// that is cut exactly between two boxes after its content can't be told from a whole one.
    public func isWhole(_ data: Data) -> Bool {
        let bytes = Bytes(data)
        return switch self {
        case .png: bytes.endsAsPNG
        case .jpeg: bytes.endsAsJPEG
        case .webp: bytes.endsAsWebP
        case .gif: bytes.endsAsGIF
        case .avif: bytes.endsAsAVIF
        }
    }
}

extension Bytes {
    /// Chunks of length, type, content and checksum (PNG, section 5.3): IHDR first, IDAT somewhere, IEND last, each with
    /// the checksum that it states.
    fileprivate var endsAsPNG: Bool {
        guard has("IHDR", at: 12) else { return false }
        var (place, hasContent) = (8, false)
        while let length = number(at: place, size: 4), length <= count - place - 12 {
            guard let stated = number(at: place + 8 + length, size: 4),
                checksum(from: place + 4, size: length + 4) == stated
            else { return false }
            if has("IEND", at: place + 4) { return hasContent }
            if has("IDAT", at: place + 4) { hasContent = true }
            place += length + 12
        }
        return false
    }

    /// The checksum of those bytes, or of what there is of them.
    private func checksum(from start: Int, size: Int) -> Int {
        Int(CRC32.checksum(data.dropFirst(start).prefix(size)))
    }

    /// Segments up to the first scan, then an end mark, which scan data can't contain (ITU T.81, section B.1.1).
    fileprivate var endsAsJPEG: Bool {
        var place = 2
        while self[place] == 0xFF, let mark = self[place + 1] {
            switch mark {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            case 0xDA: return (lastPlace(of: (0xFF, 0xD9)) ?? 0) > place
            default:
                guard let length = number(at: place + 2, size: 2), length >= 2 else { return false }
                place += 2 + length
            }
        }
        return false
    }

    /// The size that the RIFF head states, least significant byte first.
    fileprivate var endsAsWebP: Bool {
        let size = (4..<8).reversed().reduce(0) { $0 << 8 | Int(self[$1] ?? 0) }
        return size > 4 && size + 8 <= count
    }

    /// Blocks up to the trailer, 0x3B (GIF89a, section 27).
    fileprivate var endsAsGIF: Bool {
        guard let flags = self[10] else { return false }
        var place = 13 + Self.colourTable(flags)
        while let kind = self[place] {
            switch kind {
            case 0x3B: return true
            case 0x21: place = afterSubBlocks(from: place + 2)
            case 0x2C:
                guard let flags = self[place + 9] else { return false }
                place = afterSubBlocks(from: place + 11 + Self.colourTable(flags))
            default: return false
            }
        }
        return false
    }

    private static func colourTable(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    private func afterSubBlocks(from start: Int) -> Int {
        var place = start
        while let length = self[place], length > 0 { place += Int(length) + 1 }
        return place + 1
    }

    /// Boxes that fill the file to its end (ISO/IEC 14496-12, section 4.2); the last may say "to the end" by size 0.
    fileprivate var endsAsAVIF: Bool {
        var (place, hasContent) = (0, false)
        while place < count {
            guard var size = number(at: place, size: 4) else { return false }
            if has("mdat", at: place + 4) { hasContent = true }
            if size == 0 { return hasContent }
            if size == 1 {
                guard let large = number(at: place + 8, size: 8) else { return false }
                size = large
            }
            guard size >= 8, size <= count - place else { return false }
            place += size
        }
        return hasContent
    }
}
