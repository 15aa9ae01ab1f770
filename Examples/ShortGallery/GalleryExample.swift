package import Errand

/// What `swift run examples gallery` shows.
package enum GalleryExample {
    @MainActor package static func run(at url: URL, print: @Sendable (String) -> Void) async throws {
        let model = GalleryViewModel(.development(url))
        try await model.fetchGallery(page: 1)
        try await model.fetchGallery(page: 2)
        for photo in model.photos { print("\(photo.id)  \(photo.description ?? "without words")") }
        do throws(ServiceError) {
            try await model.fetchGallery(page: 0)
        } catch {
            print("page 0: \(error.reason)")
        }
    }
}
