import Errand
import GalleryCore

extension HTML {
    /// Returns the URL of a web page, or `nil` for anything else, such as a script.
    static func href(_ url: URL, _ mask: KeyMask) -> String? {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return nil }
        return text(mask.hide(url.absoluteString), limit: 4_000)
    }
}
