import Errand
import GalleryCore
import TestSupport
import Testing

@Suite struct PictureFormatTests {
    @Test(arguments: PictureFormat.allCases)
    func `a picture is recognised by its bytes and whole to its last one`(format: PictureFormat) {
        let data = SamplePicture.data(format)
        #expect(PictureFormat(of: data) == format)
        #expect(format.isWhole(data))
        for length in 0..<data.count {
            #expect(!format.isWhole(data.prefix(length)), "\(length) of \(data.count) bytes")
        }
    }

    @Test(arguments: PictureFormat.allCases)
    func `a slice of a larger buffer is read from its own start`(format: PictureFormat) {
        let data = (Data("xyz".utf8) + SamplePicture.data(format)).dropFirst(3)
        #expect(PictureFormat(of: data) == format && format.isWhole(data))
    }

    @Test(arguments: [PictureFormat.png, .jpeg, .webp, .gif])
    func `bytes after the end do no harm`(format: PictureFormat) {
        #expect(format.isWhole(SamplePicture.data(format) + Data([0, 0, 10, 13])))
    }

    @Test(arguments: [
        "", "<!doctype html>", "GIF", "RIFF\u{4}\0\0\0WAVE", "%PDF-1.7", "<svg xmlns=''/>", "\0\0\0\u{18}ftypisom",
    ])
    func `what is no picture is not recognised`(text: String) {
        #expect(PictureFormat(of: Data(text.utf8)) == nil)
    }

    @Test(arguments: PictureFormat.allCases)
    func `no bytes after the first few make the checks fail`(format: PictureFormat) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var data = SamplePicture.data(format)
            for place in data.indices.dropFirst(4) where UInt8.random(in: 0...3, using: &random) == 0 {
                data[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 1
            }
            _ = PictureFormat(of: data)
            _ = format.isWhole(data)
        }
    }

    @Test(arguments: [
        ["IEND"], ["IHDR", "IEND"], ["IDAT", "IEND"], ["IDAT", "IHDR", "IEND"], ["IHDR", "IDAT"],
        ["IHDR", "IEND", "IDAT"], ["tEXt", "IHDR", "IDAT", "IEND"], ["IHDR", "idat", "IEND"], [],
    ])
    func `a PNG begins with its head, has content and ends with its end`(chunks: [String]) {
        let data = chunks.reduce(SamplePicture.pngSignature) { $0 + SamplePicture.chunk($1, 13) }
        #expect(PictureFormat(of: data) == .png && !PictureFormat.png.isWhole(data))
    }

    @Test func `a PNG with any bit changed is not whole`() {
        for place in SamplePicture.png.indices.dropFirst(8) {
            var data = SamplePicture.png
            data[place] ^= 0x10
            #expect(!PictureFormat.png.isWhole(data), "byte \(place)")
        }
    }

    @Test(arguments: [UInt32(13), 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFF4])
    func `a PNG chunk that claims more than there is is cut off`(length: UInt32) {
        let claim = Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) })
        let data = SamplePicture.pngSignature + claim + Data("IHDR".utf8) + Data(count: 12)
        #expect(!PictureFormat.png.isWhole(data))
    }

    @Test(
        arguments: [
            ("", 0), ("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082), ("0123456789abcdef", 0x68C4_F033),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
            (String(repeating: "0123456789abcdef", count: 20) + "xyz", 0x9828_A34D),
        ] as [(String, UInt32)])
    func `checksums are those of zlib`(text: String, sum: UInt32) {
        for way in CRC32.Way.here {
            #expect(CRC32.checksum(Data(text.utf8), way) == sum, "\(way)")
            #expect(CRC32.checksum(Data("xy\(text)".utf8).dropFirst(2), way) == sum, "\(way)")
        }
    }

    /// The definition, bit by bit, against the ways that take many bytes at once and put their parts together.
    @Test func `checksums of any length are what the definition says`() {
        var random = SplitMix(state: 32)
        for count in Array(0...330) + [511, 512, 513, 1_007, 4_096] {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let expected = bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
            for way in CRC32.Way.here {
                #expect(CRC32.checksum(Data(bytes), way) == ~expected, "\(count) bytes, \(way)")
            }
        }
    }

    @Test func `the extension is the usual one`() {
        #expect(PictureFormat.allCases.map(\.fileExtension) == ["png", "jpg", "webp", "gif", "avif"])
    }
}
