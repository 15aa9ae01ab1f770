package import Errand

/// The program of `swift run examples gallery`.
package enum GalleryExample {
    @MainActor package static func run(
        at url: URL, over session: some APISession = .platform, print: @Sendable (String) -> Void
    ) async throws {
        let model = GalleryViewModel(.development(url), urlSession: session)
        try await model.fetchGallery(page: 1)
        try await model.fetchGallery(page: 2)
        for photo in model.photos { print("\(photo.id)  \(photo.description ?? "no description")") }
        do throws(ServiceError) {
            try await model.fetchGallery(page: 0)
        } catch {
            print("page 0: \(error.reason)")
        }
    }
}
