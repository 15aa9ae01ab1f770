import Errand
import GalleryCore
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

    @Test func `the extension is the usual one`() {
        #expect(PictureFormat.allCases.map(\.fileExtension) == ["png", "jpg", "webp", "gif", "avif"])
    }
}
