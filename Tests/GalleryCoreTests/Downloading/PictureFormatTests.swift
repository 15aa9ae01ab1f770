import Errand
import GalleryCore
import Testing

@Suite struct PictureFormatTests {
    @Test(arguments: PictureFormat.allCases)
    func `a format is detected by its first bytes`(format: PictureFormat) {
        #expect(PictureFormat(of: SamplePicture.data(format)) == format)
        #expect(PictureFormat(of: SamplePicture.data(format).prefix(2)) == nil)
    }

    @Test(arguments: PictureFormat.allCases)
    func `a slice of a larger buffer is read from its start`(format: PictureFormat) {
        let data = (Data("xyz".utf8) + SamplePicture.data(format)).dropFirst(3)
        #expect(PictureFormat(of: data) == format)
    }

    @Test(arguments: [
        "", "<!doctype html>", "GIF", "RIFF\u{4}\0\0\0WAVE", "%PDF-1.7", "<svg xmlns=''/>", "\0\0\0\u{18}ftypisom",
    ])
    func `other data is not detected as a picture`(text: String) {
        #expect(PictureFormat(of: Data(text.utf8)) == nil)
    }

    @Test(arguments: PictureFormat.allCases)
    func `random bytes after the signature do not crash the detection`(format: PictureFormat) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var data = SamplePicture.data(format)
            for index in data.indices.dropFirst(4) where UInt8.random(in: 0...3, using: &random) == 0 {
                data[index] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 1
            }
            _ = PictureFormat(of: data)
        }
    }

    @Test func `each format has its file extension`() {
        #expect(PictureFormat.allCases.map(\.fileExtension) == ["png", "jpg", "webp", "gif", "avif"])
    }
}
