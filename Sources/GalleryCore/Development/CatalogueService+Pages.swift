internal import Errand
internal import ErrandLoopback

/// The web pages that photos and users link to. Like the pictures, they require no key and do not count as API calls.
extension CatalogueService {
    func page(_ path: String, _ base: CatalogueBase) throws(Refusal) -> LoopbackReply {
        if let photo = allPhotos.first(where: { path == "photos/\($0.slug)" }) {
            return Self.page(of: photo.summary(at: base.links))
        }
        guard path.hasPrefix("@") else { throw Refusal(404, "Couldn't find this page") }
        let photos = try photos(of: String(path.dropFirst()))
        return Self.page(of: photos.map { $0.summary(at: base.links) })
    }

    private static func page(of photo: GalleryModel) -> LoopbackReply {
        document(
            photo.title,
            """
            \(image(photo))
            <p>\(HTML.text(photo.altDescription ?? ""))</p>
            <p>Photo by \(link(photo.user.links.html, photo.user.name))</p>
            """)
    }

    private static func page(of photos: [GalleryModel]) -> LoopbackReply {
        guard let user = photos.first?.user else { return .status(404) }
        let list = photos.map { "<p>\(link($0.links.html, $0.title))</p>" }.joined(separator: "\n")
        return document(user.name, "<p>\(HTML.text(user.bio ?? ""))</p>\n\(list)")
    }

    private static func image(_ photo: GalleryModel) -> String {
        let (url, words) = (HTML.text(photo.urls.regular.absoluteString), HTML.text(photo.altDescription ?? ""))
        return "<p><img src=\"\(url)\" width=\"\(photo.width)\" height=\"\(photo.height)\" alt=\"\(words)\"></p>"
    }

    private static func link(_ url: URL, _ text: String) -> String {
        "<a href=\"\(HTML.text(url.absoluteString))\">\(HTML.text(text))</a>"
    }

    private static func document(_ title: String, _ body: String) -> LoopbackReply {
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(HTML.text(title))</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"></head>
            <body>
            <h1>\(HTML.text(title))</h1>
            \(body)
            </body>
            </html>

            """
        return .data(Data(html.utf8), type: "text/html; charset=utf-8")
            .header("Content-Security-Policy", "default-src 'none'; img-src http:")
    }
}
