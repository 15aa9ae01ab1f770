import Errand
import ErrandLoopback

/// The routes of a small gallery on a loopback server. It has three photos, and a test can replace any response.
struct GalleryDouble: Sendable {
    /// A PNG with one black pixel: 67 bytes.
    static let png: Data =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        + Data([0, 0, 0, 13]) + Data("IHDR".utf8) + Data([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
        + Data([0x3A, 0x7E, 0x9B, 0x55])
        + Data([0, 0, 0, 10]) + Data("IDAT".utf8) + Data([0x78, 0xDA, 0x63, 0x60, 0, 0, 0, 2, 0, 1])
        + Data([0xE5, 0x27, 0xDE, 0xFC])
        + Data([0, 0, 0, 0]) + Data("IEND".utf8) + Data([0xAE, 0x42, 0x60, 0x82])

    var ids: [String] = ["p1", "p2", "p3"]
    var title: String = "Lake"
    /// The slug of each photo, if it has one.
    var slug: String?
    /// The JSON values before the photos in the list.
    var oddities: [String] = []
    /// Returns a response that replaces the default one, or `nil` to use the default.
    var special: @Sendable (LoopbackRequest) -> LoopbackReply? = { _ in nil }
    /// The server of the pictures. The default is the same server.
    var pictures: URL?
    /// The server to which downloads are reported. The default is the same server.
    var notices: URL?

    func reply(to request: LoopbackRequest) -> LoopbackReply {
        if let reply = special(request) { return reply }
        let own = "http://\(request["Host"] ?? "")"
        if request.path == "/photos" { return .json(list(own)) }
        if request.path == "/search/photos" {
            return .json(#"{"total":\#(ids.count),"total_pages":1,"results":\#(list(own))}"#)
        }
        if request.path.hasSuffix("/download") { return .json(#"{"url":"\#(own)/picture/x"}"#) }
        if request.path.hasPrefix("/picture/") { return .data(Self.png, type: "image/png") }
        return .status(404)
    }

    private func list(_ own: String) -> String {
        "[" + (oddities + ids.map { photo($0, own) }).joined(separator: ",") + "]"
    }

    private func photo(_ id: String, _ own: String) -> String {
        let picture = "\(base(pictures) ?? own)/picture/\(id)"
        let notice = "\(base(notices) ?? own)/photos/\(id)/download"
        return """
            {"id":"\(id)",\(slug.map { #""slug":"\#($0)","# } ?? "")"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","width":1,"height":1,
            "likes":0,"liked_by_user":false,"description":"\(title) \(id)",
            "urls":{"raw":"\(picture)","full":"\(picture)","regular":"\(picture)","small":"\(picture)",
            "thumb":"\(picture)"},
            "links":{"self":"\(own)/photos/\(id)","html":"\(own)/\(id)","download":"\(picture)",
            "download_location":"\(notice)"},
            "user":{"id":"u1","username":"ada","name":"Ada L",
            "links":{"self":"\(own)/users/ada","html":"\(own)/ada","photos":"\(own)/users/ada/photos"}}}
            """
    }

    private func base(_ url: URL?) -> String? {
        url.map { $0.absoluteString.hasSuffix("/") ? String($0.absoluteString.dropLast()) : $0.absoluteString }
    }
}
