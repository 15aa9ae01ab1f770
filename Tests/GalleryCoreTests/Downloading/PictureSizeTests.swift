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
        Row(testDescription: "WebP", format: .webp, bytes: Array(SamplePicture.webp)),
        Row(testDescription: "AVIF", format: .avif, bytes: Array(SamplePicture.avif)),
    ]

    @Test(arguments: rows) func `the size is parsed from the header`(row: Row) {
        // A slice has other indices than a complete value.
        let data = Data([0] + row.bytes).dropFirst()
        let size = PictureSize(of: data, row.format)
        #expect(size.map { [$0.width, $0.height] } == row.size)
    }
}
