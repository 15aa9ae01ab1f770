import Errand
import GalleryCore

/// The API calls of GalleryCore. Other recipes declare smaller types with the same names.
enum BundledGallery {
    typealias GalleryAPI = GalleryCore.GalleryAPI
    typealias SearchAPI = GalleryCore.SearchAPI
    typealias SearchQuery = GalleryCore.SearchQuery

    static func search(_ text: String, into folder: URL) async throws -> [String] {
        let server = try DevelopmentServer()  // bundled pictures, without a network or a key
        let feed = GalleryFeed(SearchAPI(environment: server.environment))
        var files: [String] = []
        for try await page in feed.pages(from: SearchQuery(text), limit: 3) {
            let pictures = page.photos.map { Picture($0, size: .small) }
            try await PictureDownloader(into: folder).download(pictures) { event in
                if case .fetched(_, let file) = event { files.append(file.name) }
            }
        }
        await server.stop()
        return files
    }
}
