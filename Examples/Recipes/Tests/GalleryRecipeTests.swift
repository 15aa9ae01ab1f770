import Errand
import TestSupport
import Testing

@Suite struct GalleryRecipeTests {
    @Test func `the bundled gallery is searched, and its pictures are saved`() async throws {
        let folder = try ScratchFolder()
        let files = try await BundledGallery.search("lake", into: folder.url)
        #expect(!files.isEmpty && files.allSatisfy { $0.hasSuffix(".png") })
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names).isSuperset(of: files))
    }
}
