import Errand
import GalleryCore

/// Which pictures `--preview` shows, and what it says of the others, once.
struct Previews {
    /// The height of a picture, in rows of text.
    private static let rows = 8
    /// The most bytes of a picture that is shown: 4 MB.
    private static let sizeLimit = 4_000_000

    private let isOn: Bool
    private var hasToldOfOthers = false
    /// Why nothing is shown, where something was asked for.
    let refusal: String?

    init(_ options: GalleryOptions, _ console: Console) {
        let isWanted = options.display.preview && !options.display.quiet
        isOn = isWanted && !options.display.json && console.showsPictures
        if !isWanted || isOn {
            refusal = nil
        } else if options.display.json {
            refusal = "--preview shows nothing beside --json"
        } else if !console.output.isTerminal {
            refusal = "--preview shows nothing: the output is no terminal"
        } else {
            refusal = "--preview shows nothing: this terminal does not say that it speaks the kitty graphics protocol"
        }
    }

    /// What shows a picture; a remark instead for the first one that can't be shown.
    mutating func show(_ file: PictureFile) -> (picture: String?, remark: String?) {
        guard isOn else { return (nil, nil) }
        if file.bytes <= Self.sizeLimit, let data = try? Data(contentsOf: file.url), PictureFormat(of: data) == .png {
            return (KittyGraphics.sequences(png: data, rows: Self.rows), nil)
        }
        defer { hasToldOfOthers = true }
        return (nil, hasToldOfOthers ? nil : "--preview shows PNG pictures of up to 4 MB; others are left out")
    }
}
