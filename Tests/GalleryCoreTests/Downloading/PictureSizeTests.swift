import Errand
import GalleryCore
import Testing

@Suite struct PictureSizeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let format: PictureFormat
        let bytes: [UInt8]
        var size: [Int]?
    }

    private static let png: [UInt8] = Array(SamplePicture.png.prefix(8)) + [0, 0, 0, 13] + Array("IHDR".utf8)
    private static let frame: [UInt8] = [0xFF, 0xC2, 0, 17, 8, 0x01, 0x90, 0x02, 0x80]

    private static func webP(_ chunk: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [26, 0, 0, 0] + Array("WEBP\(chunk)".utf8) + [10, 0, 0, 0] + bytes
    }

    private static let rows: [Row] = [
        Row(testDescription: "PNG", format: .png, bytes: png + [0, 0, 2, 128, 0, 0, 1, 144], size: [640, 400]),
        Row(testDescription: "PNG without height", format: .png, bytes: png + [0, 0, 2, 128]),
        Row(testDescription: "PNG of no pixels", format: .png, bytes: png + [0, 0, 0, 0, 0, 0, 1, 144]),
        Row(testDescription: "PNG without header", format: .png, bytes: Array(SamplePicture.png)),
        Row(testDescription: "GIF", format: .gif, bytes: Array("GIF89a".utf8) + [128, 2, 144, 1], size: [640, 400]),
        Row(testDescription: "short GIF", format: .gif, bytes: Array("GIF89a".utf8) + [128, 2, 144]),
        Row(
            testDescription: "JPEG", format: .jpeg, bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 9, 9] + frame,
            size: [640, 400]),
        Row(
            testDescription: "JPEG with a table first", format: .jpeg, bytes: [0xFF, 0xD8, 0xFF, 0xC4, 0, 2] + frame,
            size: [640, 400]),
        Row(testDescription: "JPEG with an empty segment", format: .jpeg, bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 0]),
        Row(testDescription: "JPEG without frame", format: .jpeg, bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF]),
        Row(testDescription: "truncated JPEG", format: .jpeg, bytes: [0xFF, 0xD8] + frame.dropLast()),
        Row(
            testDescription: "extended WebP", format: .webp,
            bytes: webP("VP8X", [0, 0, 0, 0, 0x7F, 2, 0, 0x8F, 1, 0]), size: [640, 400]),
        Row(
            testDescription: "lossy WebP with a scale", format: .webp,
            bytes: webP("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x80, 0x42, 0x90, 0x81]), size: [640, 400]),
        Row(
            testDescription: "lossless WebP with alpha", format: .webp,
            bytes: webP("VP8L", [0x2F, 0x7F, 0xC2, 0x63, 0x10]), size: [640, 400]),
        Row(testDescription: "short WebP", format: .webp, bytes: webP("VP8L", [0x2F, 0x7F, 0xC2, 0x63])),
        Row(
            testDescription: "WebP of another kind", format: .webp, bytes: webP("VP9 ", Array(repeating: 1, count: 20))),
        Row(testDescription: "AVIF", format: .avif, bytes: Array(SamplePicture.avif)),
    ]

    @Test(arguments: rows) func `the size is parsed from the header`(row: Row) {
        // A slice has other indices than a complete value.
        let data = Data([0] + row.bytes).dropFirst()
        let size = PictureSize(of: data, row.format)
        #expect(size.map { [$0.width, $0.height] } == row.size)
    }
}
