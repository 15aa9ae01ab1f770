import Errand
import GalleryCore

/// Implements `--preview`: shows supported pictures and prints a single remark about the others.
struct Previews {
    /// The height of a picture, in rows of text.
    private static let rows = 8
    /// The maximum size of a shown picture in bytes: 4 MB.
    private static let sizeLimit = 4_000_000

    private let isOn: Bool
    private var hasToldOfOthers = false
    /// The reason why `--preview` has no effect, or `nil` if it has an effect or is not set.
    let refusal: String?

    init(_ options: GalleryOptions, _ console: Console) {
        let isWanted = options.display.preview && !options.display.quiet
        isOn = isWanted && !options.display.json && console.showsPictures
        if !isWanted || isOn {
            refusal = nil
        } else if options.display.json {
            refusal = "--preview has no effect with --json"
        } else if !console.output.isTerminal {
            refusal = "--preview has no effect: the output is not a terminal"
        } else {
            refusal = "--preview has no effect: this terminal does not announce the kitty graphics protocol"
        }
    }

    /// Returns the escape sequences of a picture, or a remark for the first picture that can't be shown.
    mutating func show(_ file: PictureFile) -> (picture: String?, remark: String?) {
        guard isOn else { return (nil, nil) }
        if file.bytes <= Self.sizeLimit, let data = try? Data(contentsOf: file.url), PictureFormat(of: data) == .png {
            return (KittyGraphics.sequences(png: data, rows: Self.rows), nil)
        }
        defer { hasToldOfOthers = true }
        return (nil, hasToldOfOthers ? nil : "--preview shows only PNG pictures of up to 4 MB")
    }
}
