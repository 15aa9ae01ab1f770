import Errand
import ErrandSupport
import GalleryCore

/// The loaded pages of a run, shared by several tasks.
final class ListedPhotos: Sendable {
    private struct State {
        var pages: ArraySlice<GalleryPage> = []
        /// The URLs to which downloads are reported, keyed by picture identifier.
        var locations: [ExactText: URL] = [:]
        var isComplete = false
    }

    private let mask: KeyMask
    private let state = Locked(State())

    /// - Parameter mask: The mask that is applied to the identifiers of pictures.
    init(_ mask: KeyMask) {
        self.mask = mask
    }

    /// Adds a page. If several photos have the same identifier, the first is used.
    func add(_ page: GalleryPage) {
        state.withLock { state in
            state.pages.append(page)
            for photo in page.photos {
                let id = ExactText(mask.hide(photo.id))
                if state.locations[id] == nil { state.locations[id] = photo.links.downloadLocation }
            }
        }
    }

    /// Marks the list as complete.
    func complete() { state.withLock { $0.isComplete = true } }

    /// Whether the list is complete and all pages were taken.
    var isComplete: Bool { state.withLock { $0.isComplete && $0.pages.isEmpty } }

    /// Removes and returns the oldest page.
    func take() -> GalleryPage? { state.withLock { $0.pages.popFirst() } }

    /// Returns the URL to which the download of a picture is reported.
    func downloadLocation(of picture: Picture) -> URL? { state.withLock { $0.locations[ExactText(picture.id)] } }
}
