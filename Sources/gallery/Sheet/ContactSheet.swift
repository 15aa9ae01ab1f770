package import Errand
import ErrandSupport
package import GalleryCore

/// A web page that shows the pictures of a folder: a single file, `index.html`, that requires no network.
package struct ContactSheet {
    /// A picture on the page and its file name in the folder.
    package typealias Tile = (photo: GalleryModel, file: String)

    private let tiles: [Tile]
    private let title: String
    private let mask: KeyMask

    package init(_ tiles: [Tile], title: String, key: Secret?) {
        self.tiles = tiles
        self.title = title
        mask = KeyMask(key)
    }

    /// The HTML of the page. Its Content Security Policy (level 3) allows no other script or style.
    package var html: String {
        let style = SheetStyle.text + shapeRules
        let policy = [
            "default-src 'none'", "img-src 'self' file:", "style-src '\(Self.digest(style))'",
            "script-src '\(Self.digest(SheetScript.text))'", "base-uri 'none'", "form-action 'none'",
        ]
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy.joined(separator: "; "))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            \(Self.mark)
            <title>\(text(title, limit: 200))</title>
            <style>\(style)</style>
            </head>
            <body>
            <header>
            <h1 dir="auto">\(text(title, limit: 200))</h1>
            \(tools)
            </header>
            <main>
            <ul id="sheet">
            \(tiles.enumerated().map { tile($0.offset, $0.element) }.joined(separator: "\n"))
            </ul>
            <p id="none" hidden>No picture matches.</p>
            </main>
            \(Self.footer)
            <script>\(SheetScript.text)</script>
            </body>
            </html>

            """
    }

    /// The element that identifies a page written by this program.
    package static let mark: String = #"<meta name="generator" content="gallery">"#

    private var tools: String {
        """
        <form role="search" id="tools">
        <div class="field wide"><label for="search">Search</label>
        <input id="search" type="search" autocomplete="off" aria-describedby="count"></div>
        <div class="field"><label for="sort">Sort by</label>
        <select id="sort">
        <option value="place">order of the list</option>
        <option value="title">title</option>
        <option value="by">photographer</option>
        <option value="date">newest first</option>
        </select></div>
        <p id="count" role="status">\(tiles.count == 1 ? "1 picture" : "\(tiles.count) pictures")</p>
        </form>
        """
    }

    private static let footer = """
        <footer>
        <p>Keys: <kbd>/</kbd> goes to the search and <kbd>Esc</kbd> clears it. From a picture, arrow keys, <kbd>Home</kbd> \
        and <kbd>End</kbd> go to others, and <kbd>Enter</kbd> opens it.</p>
        </footer>
        """

    private func tile(_ index: Int, _ tile: Tile) -> String {
        let photo = tile.photo
        let (title, name) = (words([photo.title, photo.id]), text(photo.user.name))
        let seen = words([photo.altDescription, photo.description, photo.title, photo.id])
        let date = Int(exactly: photo.createdAt.timeIntervalSince1970.rounded()) ?? 0
        let file = HTML.file(mask.hide(tile.file))
        let (width, height) = Self.shape(photo)
        return """
            <li class="\(Self.shapeName(photo))" data-place="\(index)" data-date="\(date)" data-title="\(title)" data-by="\(name)">
            <figure>
            <a class="picture" href="\(file)"><img src="\(file)" width="\(width)" height="\(height)" \
            loading="lazy" decoding="async" alt="\(seen)"></a>
            <figcaption><span class="title" dir="auto">\(title)</span>
            <span class="credit">\(credit(photo))</span></figcaption>
            </figure>
            </li>
            """
    }

    /// Returns the size that is reserved for a picture while it loads. Extreme sizes and aspect ratios are limited.
    private static func shape(_ photo: GalleryModel) -> (width: Int, height: Int) {
        let (width, height) = (min(max(1, photo.width), 100_000), min(max(1, photo.height), 100_000))
        return (max(width, height / 4), max(height, width / 4))
    }

    /// Returns the CSS class of a tile with the shape of a photo.
    private static func shapeName(_ photo: GalleryModel) -> String {
        let (width, height) = shape(photo)
        return "s\(width)x\(height)"
    }

    /// A CSS rule for each shape on the page, because the policy does not allow inline styles. The minimum aspect ratio
    /// is 1:2, because the text does not fit narrower tiles.
    private var shapeRules: String {
        var seen: Set<String> = []
        return tiles.map(\.photo).filter { seen.insert(Self.shapeName($0)).inserted }.map { photo in
            let (width, height) = Self.shape(photo)
            return ".\(Self.shapeName(photo)) { --shape: \(max(0.5, Double(width) / Double(height))); }\n"
        }.joined()
    }

    /// Returns the credit as required by Unsplash: the photographer and the site, with referral parameters in the
    /// links, and the licence.
    private func credit(_ photo: GalleryModel) -> String {
        let host = photo.links.html.host()?.lowercased() ?? ""
        let isUnsplash = host == "unsplash.com" || host.hasSuffix(".unsplash.com")
        let name = "<bdi>\(words([photo.user.name, photo.user.username], limit: 200))</bdi>"
        var parts = ["Photo by \(link(photo.user.links.html, name, isReferral: isUnsplash))"]
        if !host.isEmpty, !Self.isHere(host) {
            let site = isUnsplash ? "Unsplash" : text(host, limit: 100)
            parts.append(" on \(link(photo.links.html, site, isReferral: isUnsplash))")
        }
        if photo.publicDomain == true {
            parts.append(", public domain")
        } else if isUnsplash, let licence = URL(string: "https://unsplash.com/license") {
            parts.append(", \(link(licence, "licence", isReferral: true))")
        }
        return parts.joined()
    }

    private func link(_ url: URL, _ label: String, isReferral: Bool) -> String {
        var url = url
        if isReferral {
            let origin = [("utm_source", "errand"), ("utm_medium", "referral")]
            url.append(queryItems: origin.map { URLQueryItem(name: $0.0, value: $0.1) })
        }
        guard let href = HTML.href(url, mask), !Self.isHere(url.host() ?? "") else { return label }
        return "<a href=\"\(href)\" rel=\"noopener noreferrer\">\(label)</a>"
    }

    /// Whether a host is this machine. Its server may have stopped when the page is viewed, as the one inside this
    /// program has.
    private static func isHere(_ host: String) -> Bool { ["127.0.0.1", "localhost", "::1"].contains(host) }

    private func text(_ text: String, limit: Int = 2_000) -> String { HTML.text(mask.hide(text), limit: limit) }

    /// Returns the first text that is not blank, because a link without text has no accessible name.
    private func words(_ texts: [String?], limit: Int = 2_000) -> String {
        texts.lazy.compactMap { $0 }.map { text($0, limit: limit) }.first { !$0.allSatisfy(\.isWhitespace) }
            ?? "untitled"
    }

    /// Returns the hash by which the policy identifies a text.
    private static func digest(_ text: String) -> String {
        "sha256-" + Data(SHA256.hash(text.utf8)).base64EncodedString()
    }
}
