import Errand
import ErrandLoopback
import Foundation
import GalleryCore
import TestSupport
import Testing
import gallery

/// Tests `gallery fetch --html`.
@Suite(.timeLimit(.minutes(1))) struct ContactSheetTests {
    private static let hostile = [
        "<script>alert(1)</script>", #"" onload="alert(1)"#, "' autofocus onfocus='alert(1)", "</li></ul><h1>x</h1>",
        "&lt;b&gt; &amp; &", "\u{202E}right to left\u{202C}", "👩‍👩‍👧 ü 漢字", String(repeating: "x", count: 10_000),
        "a\u{0}b\nc\u{1B}[2J", "javascript:alert(1)", "]]>-->",
    ]

    private func page(_ titles: [String], link: String = "https://x.example/h", key: Secret? = nil) throws -> String {
        let photos = try titles.map { try HostilePhoto.model(title: $0, name: $0, page: link) }
        return ContactSheet(photos.map { ($0, "\($0.title).png") }, title: titles[0], key: key).html
    }

    @Test(arguments: hostile) func `server text is escaped`(title: String) throws {
        let html = try page([title])
        let plain = try page(["plain"])
        // The elements are the same as with a plain title.
        #expect(tags(html) == tags(plain))
        #expect(!html.contains("\u{202E}") && !html.contains("\u{1B}") && !html.contains("\u{0}"))
        #expect(html.utf8.count < 60_000)
    }

    /// Returns the tags without the values of their attributes.
    private func tags(_ html: String) -> [String] {
        html.matches(of: /<[!\/a-zA-Z][^<>]*>/).map { tag in
            String(tag.output).replacing(/="[^"]*"/, with: "")
        }
    }

    @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])
    func `only http and https URLs are linked`(link: String) throws {
        let html = try page(["a"], link: link)
        #expect(!html.contains("href=\"\(link)") && html.contains("Photo by <bdi>a</bdi>"))
    }

    @Test func `the credit of Unsplash pictures has the required links`() throws {
        let html = try page(["a"], link: "https://unsplash.com/@ada")
        let link = "https://unsplash.com/@ada?utm_source=errand&amp;utm_medium=referral"
        #expect(
            html.contains("<a href=\"\(link)\" rel=\"noopener noreferrer\"><bdi>a</bdi></a> on <a href=\"\(link)\""))
        #expect(html.contains(">Unsplash</a>"))
    }

    @Test func `a key that a server repeats is not on the page`() throws {
        let html = try page(
            ["k3y-that-must-stay"], link: "https://x.example/k3y-that-must-stay", key: Secret("k3y-that-must-stay"))
        #expect(!html.contains("k3y-that-must-stay</") && !html.contains("x.example/k3y"))
    }

    @Test func `a run writes a page with a tile per picture`() async throws {
        let scene = try FetchScene()
        let double = GalleryDouble(title: "Lake <b>")
        let server = try LoopbackServer { double.reply(to: $0) }
        #expect(await scene.fetch("--html", from: server) == .success)
        let file = URL(filePath: scene.folder.path + "/out/index.html")
        let html = try String(contentsOf: file, encoding: .utf8)
        #expect(html.components(separatedBy: "<li ").count - 1 == 3)
        for name in scene.pictures where name != "index.html" { #expect(html.contains("src=\"./\(name)\""), "\(name)") }
        #expect(await scene.fetch("--html", from: server) == .success)
        #expect(try String(contentsOf: file, encoding: .utf8) == html)
        await server.stop()
    }

    @Test func `a page of another program is not replaced`() async throws {
        let scene = try FetchScene()
        let folder = URL(filePath: scene.folder.path + "/out")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let own = Data("<h1>My pictures</h1>".utf8)
        try own.write(to: folder.appending(path: "index.html"))
        let double = GalleryDouble()
        let server = try LoopbackServer { double.reply(to: $0) }
        #expect(await scene.fetch("--html", from: server) == .failure)
        #expect(try Data(contentsOf: folder.appending(path: "index.html")) == own)
        #expect(scene.complaints == ["gallery: index.html was not replaced: it was not written by this program"])
        await server.stop()
    }

    @Test func `a run without pictures writes no page`() async throws {
        let scene = try FetchScene()
        let double = GalleryDouble(special: { $0.path.hasPrefix("/picture/") ? .status(500) : nil })
        let server = try LoopbackServer { double.reply(to: $0) }
        #expect(await scene.fetch("--html", from: server) == .failure)
        #expect(scene.pictures.isEmpty)
        await server.stop()
    }
}
