import Errand
import ErrandSupport
import GalleryCore

/// The pages that a run has read: what becomes of them is asked for from several tasks.
final class ListedPhotos: Sendable {
    private struct State {
        var pages: ArraySlice<GalleryPage> = []
        /// Where the API is told of a download.
        var locations: [ExactText: URL] = [:]
        var isComplete = false
    }

    private let mask: KeyMask
    private let state = Locked(State())

    /// - Parameter mask: What pictures' identifiers are without.
    init(_ mask: KeyMask) {
        self.mask = mask
    }

    /// Takes a page in. Of several photos with one identifier the first counts.
    func add(_ page: GalleryPage) {
        state.withLock { state in
            state.pages.append(page)
            for photo in page.photos {
                let id = ExactText(mask.hide(photo.id))
                if state.locations[id] == nil { state.locations[id] = photo.links.downloadLocation }
            }
        }
    }

    /// Takes in that there are no more pages.
    func complete() { state.withLock { $0.isComplete = true } }

    /// Whether all that there will be has been taken.
    var isComplete: Bool { state.withLock { $0.isComplete && $0.pages.isEmpty } }

    /// The oldest page that nobody has taken yet.
    func take() -> GalleryPage? { state.withLock { $0.pages.popFirst() } }

    /// Where the API is told of the download of a photo.
    func downloadLocation(of picture: Picture) -> URL? { state.withLock { $0.locations[ExactText(picture.id)] } }
}
